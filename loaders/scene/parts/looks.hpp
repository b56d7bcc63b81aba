#pragma once
// What a picture shows of a scene: a level of detail, without some nodes or with some only, in plain clay.
//
//   lod      number of a level, 0 is the most detailed one
//   hide     NODE[,NODE...]  without these nodes and what is below them
//   only     NODE[,NODE...]  these nodes and what is below them; of what is below, `hide` removes parts
//   surface  clay            one matt gray material in place of all materials
//
// A node is addressed by its number, or its name, which means all nodes of this name; or else by the name of
// the mesh that it draws. A node whose name has a comma is addressed by its number.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct LookTexts {
    std::optional<std::string> lod{}, hide{}, only{}, surface{};

    bool empty() const { return *this == LookTexts{}; }
    bool operator==(const LookTexts&) const = default;
};

struct Look {
    std::uint32_t level = 0;
    std::vector<std::uint32_t> hidden{}, only{}; // nodes of the file, ascending; `only` empty: all
    bool clay = false;

    bool operator==(const Look&) const = default;
};

struct LookError {
    std::string_view parameter;   // "lod", "hide", "only" or "surface"
    std::string message;          // a sentence
    bool not_in_the_file = false; // a level or node that the scene does not have; otherwise a malformed text
};

inline constexpr std::size_t max_look_names = 64; // in each of `hide` and `only`

std::expected<Look, LookError> find_look(const Scene& scene, const LookTexts& texts);

// Returns a text that equal looks have in common.
std::string look_key(const Look& look);

// A sentence for a text that is no name or index of Scene::variants; it lists some names.
std::string no_skin_message(const Scene& scene, std::string_view wanted);

// Precondition: the look was found in this scene, to which nodes may have been appended since.
void apply_look(Scene& scene, const Look& look);

} // namespace vitrine::scene
