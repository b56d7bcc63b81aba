#pragma once
// Parses the textual form of a view, shared by the command line, the REST API, the live view and the web
// client.

#include <optional>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// "front" (yaw 0, pitch 0), "back", "left", "right", "side" (same as right), "top", "bottom" and
// "three-quarter" (30, 15). Distance and target are left unset.
std::optional<Camera> find_named_view(std::string_view name);

// Parses a named view, "auto" (Camera::automatic), or "yaw,pitch[,distance]" in degrees and meters. Returns
// an empty optional for anything else and for values out of range.
std::optional<Camera> parse_camera(std::string_view text);
// Describes the input of parse_camera(), for messages.
std::string camera_words();

// Sets View::background: "studio" (empty: the default of the lighting), "transparent", "white", "black",
// "#rrggbb" or "#rrggbbaa"; the '#' is optional. Returns false, leaving `background` unchanged, for other
// text.
bool parse_background(std::string_view text, std::optional<glm::vec4>& background);
inline constexpr std::string_view background_words =
    "studio, transparent, white, black, #rrggbb or #rrggbbaa";

// Parses the ghosts of a view: "BEFORE[,AFTER][@SECONDS]", counts up to max_ghosts (AFTER: as many as BEFORE)
// and the time from one to the next. Returns an empty optional for other text.
std::optional<Ghosts> parse_ghosts(std::string_view text);
// Describes the input of parse_ghosts(), for messages.
std::string ghosts_words();
// Returns the same text for equal ghosts.
std::string ghosts_text(const Ghosts& ghosts);

// Enables the overlay that `name`, a word of overlay_words, stands for ("names" enables the skeleton too) or
// sets the debug view of debug_view_words or "weights:JOINT", or adds "trails:JOINT". Returns false for
// another word, a second debug view or more than max_trail_joints.
bool add_overlay(std::string_view name, Overlays& overlays);
// Parses several overlays separated by commas; an empty list and "none" mean no overlay.
std::optional<Overlays> parse_overlays(std::string_view list);
// Returns the first joint that the overlays name and the scene does not have; empty: it has all.
std::string find_unknown_joint(const scene::Scene& scene, const Overlays& overlays);
// The words that parse_overlays() accepts, for messages.
std::string overlays_help();

} // namespace vitrine::render
