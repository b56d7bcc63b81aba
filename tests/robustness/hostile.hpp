#pragma once
// Damages a text file: cut at every length, bytes changed, lines repeated. `load` gets each variant and
// returns the message of the error, or nothing if it loads.

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "tests/robustness/rounds.hpp"

namespace vitrine::test {

template <class Load>
void cut_everywhere(const std::string& text, Load load)
{
    for (std::size_t length = 0; length < text.size(); ++length)
        load(text.substr(0, length));
}

// Every byte becomes one or two of nine characters, others at each place; all nine in a soak.
template <class Load>
void change_bytes(const std::string& text, Load load)
{
    constexpr std::string_view characters("\0"
                                          "9-/\n\\\"{\xFF",
                                          9);
    const std::size_t step = is_soak() ? 1 : 5;
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (std::size_t i = at % step; i < characters.size(); i += step) {
            std::string changed = text;
            changed[at] = characters[i];
            load(changed);
        }
    }
}

// Several places at once, by a fixed seed: half of `usual` rounds, all and more of them in a soak.
template <class Load>
void scramble(const std::string& text, int usual, Load load)
{
    std::mt19937 random(7);
    for (int round = 0, count = is_soak() ? rounds(usual) : usual / 2; round < count; ++round) {
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
