#pragma once
// Names of the limits, for flags, messages and the final check of a loaded scene, and the message for an
// exceeded limit.

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "loaders/io/input.hpp"

namespace vitrine::io {

struct NamedLimit {
    std::string_view name; // as in --limit NAME=NUMBER
    std::string_view what; // description of what is counted
    std::variant<std::uint64_t Limits::*, std::uint32_t Limits::*> member;
};

std::span<const NamedLimit> named_limits();
std::uint64_t value_of(const Limits& limits, const NamedLimit& limit);

// Factor applied to Limits::depth for node hierarchies that are traversed without recursion: a chain of ten
// thousand nodes is rare but valid.
inline constexpr std::uint32_t node_depth_factor = 32;

// Applies "NAME=NUMBER" to `limits`. Returns an error sentence; empty on success.
std::string set_limit(Limits& limits, std::string_view text);

// Formats "7 meshes: more than the limit meshes = 5" from "7 meshes", "meshes" and 5; without a subject "more
// than the limit meshes = 5".
std::string limit_message(std::string_view subject, std::string_view name, std::uint64_t limit);
// LoadErrc::limit_exceeded with that message.
std::unexpected<LoadError> limit_exceeded_error(std::string where, std::string_view subject,
                                                std::string_view name, std::uint64_t limit);
std::unexpected<LoadError> limit_exceeded_error(std::string where, std::string_view name,
                                                std::uint64_t limit);

} // namespace vitrine::io
