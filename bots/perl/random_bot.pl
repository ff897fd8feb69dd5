# A bot that plays any legal move. Perl's own modules only.
#
# Run a match:  referee match bao-kigogo "perl bots/perl/random_bot.pl" random-bot
# By hand:      perl bots/perl/random_bot.pl     and type messages of PROTOCOL.md, one a line
use strict;
use warnings;
use JSON::PP;

# Without this, lines wait in a buffer.
$| = 1;

sub say_message { print encode_json($_[0]), "\n" }

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my ($kind, $id) = @$message{qw(type id)};
    if ($kind eq 'hello') {
        say_message({
            type => 'hello', protocol => 1, name => 'random_bot.pl', version => '1.0', author => 'Bao Referee',
            games => ['bao-kigogo', 'bao-kingulu'],
        });
    } elsif ($kind eq 'new_game') {
        say_message({ type => 'ready', id => $id });
    } elsif ($kind eq 'go') {
        my @legal = split ' ', $message->{legal};
        say_message({ type => 'move', id => $id, move => $legal[rand @legal] });
    } elsif ($kind eq 'ping') {
        say_message({ type => 'pong', id => $id });
    } elsif ($kind eq 'fault') {
        print STDERR "$message->{code} $message->{detail}\n";
    } elsif ($kind eq 'bye') {
        last;
    }    # Anything else (set_option, game_over, a type of a later version) needs no answer.
}
