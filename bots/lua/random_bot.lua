-- A bot that plays any legal move. Lua 5.1 or later, no JSON library: messages are compact and have their fields in the
-- order of PROTOCOL.md, so matching a field by its name is enough.
--
-- Run a match:  referee match bao-kigogo "lua bots/lua/random_bot.lua" random-bot
-- By hand:      lua bots/lua/random_bot.lua     and type messages of PROTOCOL.md, one a line

-- Without this, lines wait in a buffer.
io.stdout:setvbuf("line")
math.randomseed(os.time())

for line in io.lines() do
  local kind = line:match('^{"type":"([^"]*)"')
  local id = line:match('"id":(%d+)')
  if kind == "hello" then
    print('{"type":"hello","protocol":1,"name":"random_bot.lua","version":"1.0","author":"Bao Referee",'
      .. '"games":["bao-kigogo","bao-kingulu"]}')
  elseif kind == "new_game" then
    print('{"type":"ready","id":' .. id .. '}')
  elseif kind == "go" then
    local legal = {}
    for move in line:match('"legal":"([^"]*)"'):gmatch("%S+") do legal[#legal + 1] = move end
    print('{"type":"move","id":' .. id .. ',"move":"' .. legal[math.random(#legal)] .. '"}')
  elseif kind == "ping" then
    print('{"type":"pong","id":' .. id .. '}')
  elseif kind == "fault" then
    io.stderr:write(line, "\n")
  elseif kind == "bye" then
    break
  end -- Anything else (set_option, game_over, a type of a later version) needs no answer.
end
