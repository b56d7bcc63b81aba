#pragma once
// Damages a text file: cut at every length, bytes changed, lines repeated. `load` gets each variant and
// returns the message of the error, or nothing if it loads.

#include <algorithm>
#include <random>
#include <string>

#include "tests/robustness/rounds.hpp"

namespace vitrine::test {

template <class Load>
void cut_everywhere(const std::string& text, Load load)
{
    for (std::size_t length = 0; length < text.size(); ++length)
        load(text.substr(0, length));
}

// A large file: every length up to 4 kB, then 1,000 over the rest.
template <class Load>
void cut_large(const std::string& text, Load load)
{
    constexpr std::size_t every = 4096, over_the_rest = 1000;
    const std::size_t step = 1 + (text.size() - std::min(every, text.size())) / over_the_rest;
    for (std::size_t length = 0; length < text.size(); length += length < every ? 1 : step)
        load(text.substr(0, length));
}

template <class Load>
void change_bytes(const std::string& text, Load load)
{
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char c : {'\0', '9', '-', '/', '\n', '\\', '"', '{', '\xFF'}) {
            std::string changed = text;
            changed[at] = c;
            load(changed);
        }
    }
}

// Several places at once, by a fixed seed; `usual` rounds(), more in a soak.
template <class Load>
void scramble(const std::string& text, int usual, Load load)
{
    std::mt19937 random(7);
    for (int round = 0, count = rounds(usual); round < count; ++round) {
        std::string changed = text;
        for (int i = 0; i < 6 && !changed.empty(); ++i) {
            const std::size_t at = random() % changed.size(), from = random() % text.size(),
                              length = random() % 24;
            switch (random() % 4) {
            case 0: changed[at] = static_cast<char>(random()); break;
            case 1: changed.insert(at, text.substr(from, length)); break;
            case 2: changed.erase(at, length); break;
            default: changed.insert(at, std::to_string(random())); break;
            }
        }
        load(changed);
    }
}

} // namespace vitrine::test
