<?php
// A bot that plays any legal move. PHP 7.1 or later, its command line program (php-cli).
//
// Run a match:  referee match bao-kigogo "php bots/php/random_bot.php" random-bot
// By hand:      php bots/php/random_bot.php     and type messages of PROTOCOL.md, one a line

function say(array $message): void
{
    fwrite(STDOUT, json_encode($message) . "\n"); // STDOUT has no buffer here
}

while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    $id = $message['id'] ?? null;
    switch ($message['type'] ?? '') {
        case 'hello':
            say(['type' => 'hello', 'protocol' => 1, 'name' => 'random_bot.php', 'version' => '1.0',
                'author' => 'Bao Referee', 'games' => ['bao-kigogo', 'bao-kingulu']]);
            break;
        case 'new_game':
            say(['type' => 'ready', 'id' => $id]);
            break;
        case 'go':
            $legal = explode(' ', $message['legal']);
            say(['type' => 'move', 'id' => $id, 'move' => $legal[random_int(0, count($legal) - 1)]]);
            break;
        case 'ping':
            say(['type' => 'pong', 'id' => $id]);
            break;
        case 'fault':
            fwrite(STDERR, "{$message['code']} {$message['detail']}\n");
            break;
        case 'bye':
            exit(0);
        // Anything else (set_option, game_over, a type of a later version) needs no answer.
    }
}
