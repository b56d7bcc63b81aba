#pragma once
// How command line, REST and preview messages address clips, material variants and joints by text. Names
// repeat and may look like numbers, so what `inspect` and REST print as the identifier is tried first:
//
//   addressed                 first                     then                     several of this name
//   clip (REST, preview)      id "c3" or index "3"      name                     an error
//   clip (command line)       name                      id or index, then part   the first
//   variant                   name                      index                    the first
//   joint                     node number               name                     all, or the first
//
// Programs send the identifier that a list gave them, users of the command line type names: a clip called "3"
// takes precedence only there.
//
// ":NAME" is the name of a clip of the model itself, also one that is called "3" or contains ':', which
// otherwise may separate another model from its clip.
//
// Names are compared exactly. An index or node number is of digits alone and less than the count; other text
// is a name. Functions that take a Scene require a validated one.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Before the name of a clip of the model itself.
inline constexpr char own_clip_mark = ':';

// Selects the static pose in place of a clip; the command line prefers a clip of this name.
inline constexpr std::string_view static_pose_word = "none";

// "c3" for the clip of index 3; stable within a version of a file.
std::string clip_id(std::uint32_t index);

enum class ClipLookup : std::uint8_t {
    exact,   // REST and preview
    lenient, // command line; a part of a name: the first clip that contains it, case-sensitively if there is
             // one
};

enum class ClipLookupError : std::uint8_t { no_such_clip, several_of_this_name };

// `names`: of all clips, by index.
std::expected<std::uint32_t, ClipLookupError> find_clip(std::span<const std::string_view> names,
                                                        std::string_view wanted, ClipLookup lookup);
std::expected<std::uint32_t, ClipLookupError> find_clip(const Scene& scene, std::string_view wanted,
                                                        ClipLookup lookup);

// Returns an index into Scene::variants.
std::optional<std::uint32_t> find_variant(std::span<const std::string> variants, std::string_view wanted);

// Returns the nodes of the file that the text addresses, in node order; the number of a helper node means the
// node that it belongs to.
std::vector<std::uint32_t> find_joints(const Scene& scene, std::string_view wanted);
// The first of find_joints().
std::optional<std::uint32_t> find_joint(const Scene& scene, std::string_view wanted);

// Sentences for a text that addresses nothing; they list some names.
std::string no_clip_message(const Scene& scene, std::string_view wanted);
std::string no_variant_message(const Scene& scene, std::string_view wanted);

} // namespace vitrine::scene
