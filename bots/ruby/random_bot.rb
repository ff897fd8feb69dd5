# A bot that plays any legal move. Ruby 2.5 or later, nothing to install.
#
# Run a match:  referee match bao-kigogo "ruby bots/ruby/random_bot.rb" random-bot
# By hand:      ruby bots/ruby/random_bot.rb     and type messages of PROTOCOL.md, one a line
require "json"

# Without this, lines wait in a buffer.
STDOUT.sync = true

def say(message)
  puts JSON.generate(message)
end

while (line = STDIN.gets)
  message = JSON.parse(line)
  id = message["id"]
  case message["type"]
  when "hello"
    say({ type: "hello", protocol: 1, name: "random_bot.rb", version: "1.0", author: "Bao Referee",
          games: %w[bao-kigogo bao-kingulu] })
  when "new_game" then say({ type: "ready", id: id })
  when "go" then say({ type: "move", id: id, move: message["legal"].split.sample })
  when "ping" then say({ type: "pong", id: id })
  when "fault" then warn "#{message['code']} #{message['detail']}"
  when "bye" then break
  end # Anything else (set_option, game_over, a type of a later version) needs no answer.
end
