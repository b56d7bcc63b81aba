#pragma once
// Profiles of checks as JSON. README.md describes the document.

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "loaders/scene/checks/profile.hpp"

namespace vitrine::api {

inline constexpr std::size_t max_profile_bytes = 64 << 10;

// Reads a profile: untrusted text. The error is one sentence that begins with its place: a line and column,
// or a JSON pointer. Patterns are those of RE2, which match in linear time, and of limited size.
std::expected<scene::CheckProfile, std::string> parse_check_profile(std::string_view text);

// "there is no profile 'x'; the profiles are default, ..."
std::string no_profile_message(std::string_view name);

} // namespace vitrine::api
