#pragma once
// The limits by their names, for flags, for what a person reads, and for the last check of a loaded scene;
// and the sentence of every refusal for passing one.

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "loaders/io/input.hpp"

namespace vitrine::io {

struct NamedLimit {
    std::string_view name; // as in --limit NAME=NUMBER
    std::string_view what; // what is counted, in words
    std::variant<std::uint64_t Limits::*, std::uint32_t Limits::*> member;
};

std::span<const NamedLimit> named_limits();
std::uint64_t value_of(const Limits& limits, const NamedLimit& limit);

// Times Limits::depth that nodes may hang below one another where they are walked without recursion: a chain
// of ten thousand is rare, but valid.
inline constexpr std::uint32_t node_depth_factor = 32;

// "NAME=NUMBER" into `limits`. What is wrong with it, as a sentence; empty: nothing.
std::string set_limit(Limits& limits, std::string_view text);

// "the meshes have more than the limit vertices = 5" out of "the meshes have more", "vertices" and 5.
std::string limit_message(std::string_view subject, std::string_view name, std::uint64_t limit);
// LoadErrc::limit_exceeded with that sentence; without a subject "more than the limit vertices = 5".
std::unexpected<LoadError> limit_exceeded_error(std::string where, std::string_view subject,
                                                std::string_view name, std::uint64_t limit);
std::unexpected<LoadError> limit_exceeded_error(std::string where, std::string_view name,
                                                std::uint64_t limit);

} // namespace vitrine::io
