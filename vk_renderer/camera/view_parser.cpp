#include "vk_renderer/camera/view_parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/lookup.hpp"
#include "vk_renderer/base/scene_instances.hpp"

namespace vitrine::render {

namespace {

constexpr float max_degrees = 1e6f;
constexpr std::string_view weights_of = "weights:", trails_of = "trails:";
constexpr double min_ghost_step = 0.001, max_ghost_step = 60.0; // seconds

struct NamedView {
    std::string_view name;
    float yaw;
    float pitch;
};

constexpr std::array table{
    NamedView{"front", 0.0f, 0.0f},    NamedView{"back", 180.0f, 0.0f},
    NamedView{"left", -90.0f, 0.0f},   NamedView{"right", 90.0f, 0.0f},
    NamedView{"side", 90.0f, 0.0f},    NamedView{"top", 0.0f, 90.0f},
    NamedView{"bottom", 0.0f, -90.0f}, NamedView{"three-quarter", 30.0f, 15.0f},
};

std::vector<std::string_view> split(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = std::min(text.find(','), text.size());
        parts.push_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

// "nan" and "inf" are outside of every range.
bool parse(std::string_view text, float min, float max, float& value)
{
    const auto number = parse_whole<float>(text);
    if (!number || !(*number >= min && *number <= max)) return false;
    value = *number;
    return true;
}

std::optional<glm::vec4> parse_hexadecimal(std::string_view digits)
{
    if (digits.size() != 6 && digits.size() != 8) return std::nullopt;
    glm::vec4 color(1.0f);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto value = parse_whole<std::uint8_t>(digits.substr(i, 2), 16);
        if (!value) return std::nullopt;
        color[static_cast<glm::length_t>(i / 2)] = static_cast<float>(*value) / 255.0f;
    }
    return color;
}

} // namespace

std::optional<Camera> find_named_view(std::string_view name)
{
    for (const auto& view : table) {
        if (view.name != name) continue;
        Camera camera;
        camera.yaw = view.yaw;
        camera.pitch = view.pitch;
        return camera;
    }
    return std::nullopt;
}

std::optional<Camera> parse_camera(std::string_view text)
{
    if (const auto named = find_named_view(text)) return named;
    if (text == "auto") return Camera{.automatic = true};
    const auto parts = split(text);
    Camera camera;
    if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
    if (!parse(parts[0], -max_degrees, max_degrees, camera.yaw) ||
        !parse(parts[1], -max_degrees, max_degrees, camera.pitch))
        return std::nullopt;
    if (parts.size() == 2) return camera;
    float distance = 0.0f;
    if (!parse(parts[2], 0.0f, static_cast<float>(max_meters), distance) || distance == 0.0f)
        return std::nullopt;
    camera.distance = distance;
    return camera;
}

std::string camera_words()
{
    std::string words;
    for (const auto& view : table)
        words.append(view.name).append(", ");
    return words + "auto or yaw,pitch[,distance]";
}

bool parse_background(std::string_view text, std::optional<glm::vec4>& background)
{
    if (text == "studio")
        background.reset();
    else if (text == "transparent")
        background = glm::vec4(0.0f);
    else if (text == "white")
        background = glm::vec4(1.0f);
    else if (text == "black")
        background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
    else if (const auto color = parse_hexadecimal(text.starts_with('#') ? text.substr(1) : text))
        background = color;
    else
        return false;
    return true;
}

std::optional<Ghosts> parse_ghosts(std::string_view text)
{
    Ghosts ghosts;
    if (const auto at = text.find('@'); at != text.npos) {
        const auto step = parse_whole<double>(text.substr(at + 1));
        if (!step || !(*step >= min_ghost_step && *step <= max_ghost_step)) return std::nullopt;
        ghosts.step = *step;
        text = text.substr(0, at);
    }
    const auto counts = split(text);
    const auto before = parse_whole<std::uint32_t>(counts.front());
    const auto after = parse_whole<std::uint32_t>(counts.back());
    if (counts.size() > 2 || !before || !after || std::max(*before, *after) > max_ghosts) return std::nullopt;
    ghosts.before = *before;
    ghosts.after = *after;
    return ghosts;
}

std::string ghosts_words()
{
    return fmt::format(
        "BEFORE[,AFTER][@SECONDS]: counts from 0 to {}, and the time from one to the next from "
        "{} to {}",
        max_ghosts, min_ghost_step, max_ghost_step);
}

std::string ghosts_text(const Ghosts& ghosts)
{
    return fmt::format("{},{}@{}", ghosts.before, ghosts.after, ghosts.step);
}

namespace {

// Only one debug view can be active; a second one is an error.
bool choose_debug_view(DebugView debug_view, std::string_view joint, Overlays& overlays)
{
    const bool same = overlays.debug_view == debug_view && overlays.joint == joint;
    if (overlays.debug_view != DebugView::material && !same) return false;
    overlays.debug_view = debug_view;
    overlays.joint = joint;
    return true;
}

// The path of one more joint.
bool add_trail(std::string_view joint, Overlays& overlays)
{
    auto& joints = overlays.trail_joints;
    if (joint.empty()) return false;
    overlays.trails = true;
    if (std::ranges::find(joints, joint) != joints.end()) return true;
    if (joints.size() >= max_trail_joints) return false;
    joints.emplace_back(joint);
    return true;
}

} // namespace

bool add_overlay(std::string_view name, Overlays& overlays)
{
    if (name.starts_with(weights_of))
        return choose_debug_view(DebugView::weights, name.substr(weights_of.size()), overlays);
    if (name.starts_with(trails_of)) return add_trail(name.substr(trails_of.size()), overlays);
    for (const auto& [word, view] : debug_view_words)
        if (name == word) return choose_debug_view(view, "", overlays);
    const auto* const chosen = std::ranges::find(overlay_words, name, &OverlayWord::word);
    if (chosen == overlay_words.end()) return false;
    overlays.*chosen->flag = true;
    if (overlays.names) overlays.skeleton = true;
    return true;
}

std::string find_unknown_joint(const scene::Scene& scene, const Overlays& overlays)
{
    const auto is_unknown = [&](const std::string& joint) {
        return !joint.empty() && !scene::find_joint(scene, joint);
    };
    if (is_unknown(overlays.joint)) return overlays.joint;
    const auto& joints = overlays.trail_joints;
    const auto unknown = std::ranges::find_if(joints, is_unknown);
    return unknown == joints.end() ? std::string() : *unknown;
}

std::string overlays_help()
{
    std::string words;
    for (const auto& overlay : overlay_words)
        words.append(overlay.word).append(", ");
    words += "trails:JOINT, and one of ";
    for (const auto& view : debug_view_words)
        words.append(view.word).append(", ");
    return words + "weights:JOINT (a node number or name), separated by commas";
}

std::optional<Overlays> parse_overlays(std::string_view list)
{
    Overlays overlays;
    for (const auto name : split(list))
        if (!name.empty() && name != "none" && !add_overlay(name, overlays)) return std::nullopt;
    return overlays;
}

} // namespace vitrine::render
