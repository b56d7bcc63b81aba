#pragma once
// Several scenes side by side as one: in a row along X, their fronts towards +Z, each resting on the plane
// y = 0. Pure functions.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/shared_scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_lineup = 16; // models of a request
// Scene::format of make_lineup(), by which a camera is chosen.
inline constexpr std::string_view lineup_format = "lineup";

// actual: in meters, as their files are. equal: each scaled so that the largest side of its box is one meter.
enum class LineupSizes : std::uint8_t { actual, equal };
// The words of parameters and options.
inline constexpr std::array<std::pair<std::string_view, LineupSizes>, 2> lineup_size_words{
    {{"actual", LineupSizes::actual}, {"equal", LineupSizes::equal}}};

struct LineupModel {
    SharedScene scene;
    std::string name{};        // of the node above it
    std::uint32_t clip = none; // that it plays; none: its static pose
};

// The box of a model over its motion in its own scene space, and the direction that it faces.
struct LineupBox {
    Aabb box;
    glm::vec3 front{0.0f, 0.0f, 1.0f};
};

// Exact at the sampled times, without outliers (preview/outliers.hpp). Takes at most some tenths of a second.
Aabb box_of_motion(const Scene& scene, std::uint32_t clip);

// Returns the transform of each model to the row, from left to right in the order of the boxes, whose middle
// is at x = 0. The gap between two of them is a tenth of the largest side of all.
std::vector<Trs> place_in_row(std::span<const LineupBox> boxes, LineupSizes sizes);

// Returns the scene of all models, one after the other, each below a node with its name and place. Its clips
// are those that the models play, in order. A scene that is there several times has its meshes once. Roles of
// humanoids and material variants are left out. The result has to be validated, because limits hold for all
// that is drawn together. Preconditions: the scenes are valid and have the clips.
Scene make_lineup(std::span<const LineupModel> models, LineupSizes sizes);

// The motion of one model, in the order of the clips of make_lineup().
struct LineupMotion {
    double duration = 0.0;        // seconds, of its clip
    std::optional<double> time{}; // stands still at this time of its clip; empty: plays
};

// Returns the layers that play all clips at once, which last as long as the longest; shorter ones are
// repeated. Null without motions.
SharedLayers play_together(std::span<const LineupMotion> motions);

} // namespace vitrine::scene
