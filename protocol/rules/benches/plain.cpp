// Bao Kigogo, sown seed by seed: the yardstick for the rules core's speed, and nothing else.
// It has no test for endless sowings; from the start there is none within six moves.
//
//     c++ -O2 -o plain plain.cpp && ./plain 6
//
// prints the leaves and the seconds of the fastest of several runs. With GCC 12, -O3 -march=native is slower.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct Position {
    uint8_t pits[2][24]; // by side, in sowing order: B1..B12, A12..A1
    uint8_t captured[2];
    uint8_t side;
};

static void play(Position &position, int from) {
    uint8_t *own = position.pits[position.side];
    uint8_t *theirs = position.pits[1 - position.side];
    int pit = from;
    for (;;) {
        int seeds = own[pit];
        own[pit] = 0;
        while (seeds-- > 0) {
            if (++pit == 24) pit = 0;
            ++own[pit];
        }
        if (own[pit] == 1) break;
    }
    if (pit >= 12 && theirs[35 - pit] > 0) {
        position.captured[position.side] += theirs[35 - pit] + theirs[pit - 12];
        theirs[35 - pit] = theirs[pit - 12] = 0;
    }
    position.side = 1 - position.side;
}

static uint64_t perft(const Position &position, int depth) {
    if (depth == 0) return 1;
    const uint8_t *own = position.pits[position.side];
    bool several = false;
    for (int pit = 0; pit < 24; ++pit) several |= own[pit] >= 2;
    uint64_t leaves = 0;
    for (int pit = 0; pit < 24; ++pit) {
        bool legal = several ? own[pit] >= 2 : own[pit] == 1 && own[(pit + 1) % 24] == 0;
        if (!legal) continue;
        Position after = position;
        play(after, pit);
        leaves += perft(after, depth - 1);
    }
    return leaves;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? std::atoi(argv[1]) : 6;
    Position start = {};
    for (int side = 0; side < 2; ++side)
        for (int pit = 0; pit < 23; ++pit) start.pits[side][pit] = 2;
    int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
    uint64_t leaves = 0;
    double best = 1e9;
    while (rounds-- > 0) {
        auto began = std::chrono::steady_clock::now();
        leaves = perft(start, depth);
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        best = std::min(best, took.count());
    }
    std::printf("%llu %.9f\n", (unsigned long long)leaves, best);
}
