#pragma once
// The rows of an animation.cfg: splits its words into animations. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/md3/config_tokens.hpp"

namespace vitrine::md3 {

struct ConfigRow {
    std::string_view name; // before the numbers or in a comment; empty: determined by the row's position
    std::array<std::optional<double>, 4> numbers; // first, count, loop, rate; nullopt: invalid
    std::string_view text;
    std::uint32_t line = 1; // line of its first number
};

// Reads as the game does: keywords with their arguments (sex, footsteps, headoffset, fixedlegs, fixedtorso),
// then four numbers per row, independent of line ends. Also accepts the form of other games of the engine:
// "NAME first count loop rate", with further numbers after the four. A line that starts a row with too few
// numbers is an invalid row, not continued by a next line that has four itself. Lines that start with any
// other word are skipped. Linear time.
std::vector<ConfigRow> read_rows(std::span<const ConfigWord> words);

} // namespace vitrine::md3
