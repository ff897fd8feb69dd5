# A bot that plays any legal move. Julia 1.6 or later, no package: messages are compact and have their fields in the order
# of PROTOCOL.md, so matching a field by its name is enough.
#
# Run a match:  referee match bao-kigogo "julia --startup-file=no bots/julia/random_bot.jl" random-bot
# By hand:      julia bots/julia/random_bot.jl     and type messages of PROTOCOL.md, one a line

field(line, pattern) = (found = match(pattern, line); found === nothing ? "" : found[1])

function say(message)
    println(message)
    flush(stdout) # without this, lines wait in a buffer
end

for line in eachline(stdin)
    kind = field(line, r"^{\"type\":\"([^\"]*)\"")
    id = field(line, r"\"id\":(\d+)")
    if kind == "hello"
        say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"random_bot.jl\",\"version\":\"1.0\"," *
            "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}")
    elseif kind == "new_game"
        say("{\"type\":\"ready\",\"id\":$id}")
    elseif kind == "go"
        move = rand(split(field(line, r"\"legal\":\"([^\"]*)\""), " "))
        say("{\"type\":\"move\",\"id\":$id,\"move\":\"$move\"}")
    elseif kind == "ping"
        say("{\"type\":\"pong\",\"id\":$id}")
    elseif kind == "fault"
        println(stderr, line)
    elseif kind == "bye"
        break
    end # Anything else (set_option, game_over, a type of a later version) needs no answer.
end
