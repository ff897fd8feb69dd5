// A bot that plays any legal move. C++17, no library, not even one for JSON: the referee writes compact messages with their
// fields in the order of PROTOCOL.md, so that a line can be cut at the names of fields.
//
// Build:        c++ -std=c++17 -O2 -o random_bot bots/cpp/random_bot.cpp
// Run a match:  referee match bao-kigogo ./random_bot random-bot
// By hand:      ./random_bot     and type messages of PROTOCOL.md, one a line
//
// bots/c/bao_bot.h works in C++, too: it has the rules, options and clocks.

#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// Returns the text of a field, or an empty text if it is not there.
static std::string text(const std::string &line, const std::string &name) {
    const std::string begin = "\"" + name + "\":\"";
    const auto at = line.find(begin);
    if (at == std::string::npos) return "";
    const auto from = at + begin.size();
    return line.substr(from, line.find('"', from) - from);
}

// Returns the digits of the field `id`.
static std::string id(const std::string &line) {
    const auto from = line.find("\"id\":") + 5;
    return line.substr(from, line.find_first_not_of("0123456789", from) - from);
}

// Writes one message. std::endl flushes; with '\n' the answer would stay in the buffer while the clock runs.
static void say(const std::string &message) { std::cout << message << std::endl; }

// Picks one of the legal moves. This is where your ideas go.
static std::string choose(const std::vector<std::string> &legal) {
    static std::mt19937 random{std::random_device{}()};
    return legal[std::uniform_int_distribution<std::size_t>(0, legal.size() - 1)(random)];
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const std::string type = text(line, "type");
        if (type == "hello") {
            say(R"({"type":"hello","protocol":1,"name":"random_bot.cpp","version":"1.0",)"
                R"("author":"Bao Referee","games":["bao-kigogo","bao-kingulu"]})");
        } else if (type == "new_game") {
            say(R"({"type":"ready","id":)" + id(line) + "}");
        } else if (type == "go") {
            std::istringstream words(text(line, "legal"));
            std::vector<std::string> legal;
            for (std::string word; words >> word;) legal.push_back(word);
            say(R"({"type":"move","id":)" + id(line) + R"(,"move":")" + choose(legal) + R"("})");
        } else if (type == "ping") {
            say(R"({"type":"pong","id":)" + id(line) + "}");
        } else if (type == "fault") {
            std::cerr << line << std::endl;
        } else if (type == "bye") {
            break;
        } // Anything else (set_option, game_over, a type of a later version) needs no answer.
    }
}
