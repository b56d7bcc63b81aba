#pragma once
// The rows of an animation.cfg: where an animation begins and ends among its words. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/md3/config_tokens.hpp"

namespace vitrine::md3 {

struct ConfigRow {
    std::string_view name; // in front or in a comment; empty: its place in the table tells
    std::array<std::optional<double>, 4> numbers; // first, count, loop, rate; empty: cannot be read
    std::string_view text;
    std::uint32_t line = 1; // of its first number
};

// As the game reads: keywords with their arguments (sex, footsteps, headoffset, fixedlegs, fixedtorso), then
// four numbers each, wherever the lines end. And as other games of its engine write: "NAME first count loop
// rate", more numbers behind the four. A line that begins a row and holds too few numbers is a broken row,
// not joined with a next one that has four itself. Lines that begin with any other word are passed over.
// Linear.
std::vector<ConfigRow> read_rows(std::span<const ConfigWord> words);

} // namespace vitrine::md3
