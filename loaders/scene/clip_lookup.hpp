#pragma once
// How REST and the command line address a clip of a Scene.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Selects the static pose in place of a clip; the command line prefers a clip of this name.
inline constexpr std::string_view static_pose_word = "none";

// "c3" for the clip of index 3; stable within a version of a file.
std::string clip_id(std::uint32_t index);

// "c3" or "3" when it is less than `count`.
std::optional<std::uint32_t> parse_clip_id(std::string_view text, std::size_t count);

enum class ClipLookup : std::uint8_t {
    exact,   // REST: by id or index, otherwise by a name that no other clip has
    lenient, // command line: the first of this name, otherwise by id or index, otherwise the first whose
             // name holds the text (case counts, then not)
};

enum class ClipLookupError : std::uint8_t { no_such_clip, several_of_this_name };

std::expected<std::uint32_t, ClipLookupError> find_clip(const Scene& scene, std::string_view wanted,
                                                        ClipLookup lookup);

} // namespace vitrine::scene
