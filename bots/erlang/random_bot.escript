#!/usr/bin/env escript
%% A bot that plays any legal move. Erlang/OTP 22 or later, no JSON library: messages are compact and have their fields
%% in the order of PROTOCOL.md, so matching a field by its name is enough.
%%
%% Run a match:  referee match bao-kigogo "escript bots/erlang/random_bot.escript" random-bot
%% By hand:      escript bots/erlang/random_bot.escript     and type messages of PROTOCOL.md, one a line

main(_) ->
    io:setopts([binary]),
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        {error, _} -> ok;
        Line ->
            case answer(field(Line, <<"\"type\":\"([^\"]*)\"">>), Line) of
                stop -> ok;
                _ -> loop()
            end
    end.

answer(<<"hello">>, _) ->
    say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"random_bot.escript\",\"version\":\"1.0\","
        "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}", []);
answer(<<"new_game">>, Line) ->
    say("{\"type\":\"ready\",\"id\":~s}", [id(Line)]);
answer(<<"go">>, Line) ->
    Legal = binary:split(field(Line, <<"\"legal\":\"([^\"]*)\"">>), <<" ">>, [global]),
    Move = lists:nth(rand:uniform(length(Legal)), Legal),
    say("{\"type\":\"move\",\"id\":~s,\"move\":\"~s\"}", [id(Line), Move]);
answer(<<"ping">>, Line) ->
    say("{\"type\":\"pong\",\"id\":~s}", [id(Line)]);
answer(<<"fault">>, Line) ->
    io:put_chars(standard_error, Line);
answer(<<"bye">>, _) ->
    stop;
answer(_, _) ->
    ok. % set_option, game_over, a type of a later version: no answer

%% Writes one message; io:format to standard output has no buffer.
say(Format, Values) -> io:format(Format ++ "~n", Values).

id(Line) -> field(Line, <<"\"id\":([0-9]+)">>).

field(Line, Pattern) ->
    case re:run(Line, Pattern, [{capture, [1], binary}]) of
        {match, [Value]} -> Value;
        nomatch -> <<>>
    end.
