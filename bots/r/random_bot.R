# A bot that plays any legal move. R 4 or later, no package: messages are compact and have their fields in the order of
# PROTOCOL.md, so matching a field by its name is enough.
#
# Run a match:  referee match bao-kigogo "Rscript bots/r/random_bot.R" random-bot
# By hand:      Rscript bots/r/random_bot.R     and type messages of PROTOCOL.md, one a line

# One connection, opened once: readLines(file("stdin")) would open it anew for every line and lose what it has read ahead.
input <- file("stdin", open = "r")

field <- function(line, pattern) {
  found <- regmatches(line, regexec(pattern, line))[[1]]
  if (length(found) == 2) found[2] else ""
}

say <- function(...) {
  cat(..., "\n", sep = "")
  flush(stdout())
}

repeat {
  line <- readLines(input, n = 1)
  if (length(line) == 0) break
  id <- field(line, '"id":([0-9]+)')
  kind <- field(line, '^\\{"type":"([^"]*)"')
  if (kind == "hello") {
    say('{"type":"hello","protocol":1,"name":"random_bot.R","version":"1.0","author":"Bao Referee",',
        '"games":["bao-kigogo","bao-kingulu"]}')
  } else if (kind == "new_game") {
    say('{"type":"ready","id":', id, "}")
  } else if (kind == "go") {
    legal <- strsplit(field(line, '"legal":"([^"]*)"'), " ")[[1]]
    say('{"type":"move","id":', id, ',"move":"', sample(legal, 1), '"}')
  } else if (kind == "ping") {
    say('{"type":"pong","id":', id, "}")
  } else if (kind == "fault") {
    message(line)
  } else if (kind == "bye") {
    break
  } # Anything else (set_option, game_over, a type of a later version) needs no answer.
}
