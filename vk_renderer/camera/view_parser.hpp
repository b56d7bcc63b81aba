#pragma once
// A view in words: one meaning on the command line, in REST, in the live preview and on the page, the same
// for every format.

#include <optional>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// "front" (yaw 0, pitch 0), "back", "left", "right", "side" (as right), "top", "bottom" and "three-quarter"
// (30, 15). Distance and target are left to framing.
std::optional<Camera> find_named_view(std::string_view name);

// A named view, "auto" (Camera::automatic), or "yaw,pitch[,distance]" in degrees and metres. Empty: neither,
// or out of range.
std::optional<Camera> parse_camera(std::string_view text);
// What parse_camera() takes, for messages.
std::string camera_words();

// View::background: "studio" (empty: what the light brings), "transparent", "white", "black", "#rrggbb" or
// "#rrggbbaa"; the '#' may be left out. False: none of them, and `background` is as it was.
bool parse_background(std::string_view text, std::optional<glm::vec4>& background);
inline constexpr std::string_view background_words =
    "studio, transparent, white, black, #rrggbb or #rrggbbaa";

// A word of overlay_words turns that overlay on, "names" the skeleton too; one of debug_view_words and
// "weights:JOINT" choose what the surfaces show. False: another word, or a second choice for the surfaces;
// the overlays are as they were.
bool add_overlay(std::string_view name, Overlays& overlays);
// Several with commas between them; nothing and "none" are no overlay.
std::optional<Overlays> parse_overlays(std::string_view list);
// What parse_overlays() takes, for messages.
std::string overlays_help();
// The node that Overlays::joint means: by its number, else the first of that name; so the number says each
// without doubt, whatever the names are. Empty: there is none.
std::optional<std::uint32_t> find_joint(const scene::Scene& scene, std::string_view joint);

} // namespace vitrine::render
