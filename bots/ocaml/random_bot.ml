(* A bot that plays any legal move. OCaml 4.08 or later, no JSON library: messages are compact and have their fields in
   the order of PROTOCOL.md, so cutting a line at a field's name is enough.

   Run a match:  referee match bao-kigogo "ocaml bots/ocaml/random_bot.ml" random-bot
   Or compile:   ocamlfind ocamlopt -o random_bot bots/ocaml/random_bot.ml
   By hand:      ocaml bots/ocaml/random_bot.ml     and type messages of PROTOCOL.md, one a line *)

(* Finds where a text goes on after [word]. *)
let after word line =
  let length = String.length word in
  let rec find at =
    if at + length > String.length line then None
    else if String.sub line at length = word then Some (at + length)
    else find (at + 1)
  in
  find 0

(* Cuts out what follows [word], up to the first of the characters [ends]. *)
let field word ends line =
  match after word line with
  | None -> ""
  | Some start ->
    let rec stop at =
      if at >= String.length line || String.contains ends line.[at] then at else stop (at + 1)
    in
    String.sub line start (stop start - start)

let text name = field ("\"" ^ name ^ "\":\"") "\""
let number name = field ("\"" ^ name ^ "\":") ",}"

(* print_endline flushes; print_string does not. *)
let say = print_endline

let rec converse () =
  match input_line stdin with
  | exception End_of_file -> ()
  | line ->
    let id = number "id" line in
    (match text "type" line with
     | "hello" ->
       say
         ("{\"type\":\"hello\",\"protocol\":1,\"name\":\"random_bot.ml\",\"version\":\"1.0\","
          ^ "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}")
     | "new_game" -> say ("{\"type\":\"ready\",\"id\":" ^ id ^ "}")
     | "go" ->
       let legal = Array.of_list (String.split_on_char ' ' (text "legal" line)) in
       let move = legal.(Random.int (Array.length legal)) in
       say ("{\"type\":\"move\",\"id\":" ^ id ^ ",\"move\":\"" ^ move ^ "\"}")
     | "ping" -> say ("{\"type\":\"pong\",\"id\":" ^ id ^ "}")
     | "fault" -> prerr_endline line
     | "bye" -> exit 0
     | _ -> () (* set_option, game_over, a type of a later version: no answer *));
    converse ()

let () =
  Random.self_init ();
  converse ()
