// A bot that plays any legal move. C# 6 or later, no package, not even one for JSON: the referee writes compact messages
// with their fields in the order of PROTOCOL.md, so that a line can be cut at the names of fields.
//
// Build:        mcs -out:RandomBot.exe bots/csharp/RandomBot.cs       (Mono; or put the file into a project of `dotnet new`)
// Run a match:  referee match bao-kigogo "mono RandomBot.exe" random-bot
// By hand:      mono RandomBot.exe     and type messages of PROTOCOL.md, one a line

using System;

public static class RandomBot
{
    private static readonly Random Chance = new Random();

    /// <summary>Picks one of the legal moves. This is where your ideas go.</summary>
    private static string Choose(string[] legal)
    {
        return legal[Chance.Next(legal.Length)];
    }

    /// <summary>Returns the text of a field, or an empty text if it is not there.</summary>
    private static string Text(string line, string name)
    {
        string begin = "\"" + name + "\":\"";
        int at = line.IndexOf(begin, StringComparison.Ordinal);
        if (at < 0) return "";
        int from = at + begin.Length;
        return line.Substring(from, line.IndexOf('"', from) - from);
    }

    /// <summary>Returns the digits of the field `id`.</summary>
    private static string Id(string line)
    {
        int from = line.IndexOf("\"id\":", StringComparison.Ordinal) + 5;
        int to = from;
        while (char.IsDigit(line[to])) to++;
        return line.Substring(from, to - from);
    }

    /// <summary>Writes one message. Without the flush, the answer could stay in the buffer while the clock runs.</summary>
    private static void Say(string message)
    {
        Console.Out.Write(message + "\n");
        Console.Out.Flush();
    }

    public static void Main()
    {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            switch (Text(line, "type"))
            {
                case "hello":
                    Say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"RandomBot.cs\",\"version\":\"1.0\","
                        + "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}");
                    break;
                case "new_game":
                    Say("{\"type\":\"ready\",\"id\":" + Id(line) + "}");
                    break;
                case "go":
                    string move = Choose(Text(line, "legal").Split(' '));
                    Say("{\"type\":\"move\",\"id\":" + Id(line) + ",\"move\":\"" + move + "\"}");
                    break;
                case "ping":
                    Say("{\"type\":\"pong\",\"id\":" + Id(line) + "}");
                    break;
                case "fault":
                    Console.Error.WriteLine(line);
                    break;
                case "bye":
                    return;
                // Anything else (set_option, game_over, a type of a later version) needs no answer.
            }
        }
    }
}
