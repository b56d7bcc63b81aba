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
#include "loaders/scene/hit.hpp"
#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/shared_scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_lineup = 16; // models of a request
// Scene::format of make_lineup(), by which a camera is chosen.
inline constexpr std::string_view lineup_format = "lineup";

// actual: in meters (LineupScale). equal: each scaled so that the largest side of its box is one meter.
enum class LineupSizes : std::uint8_t { actual, equal };
// The words of parameters and options.
inline constexpr std::array<std::pair<std::string_view, LineupSizes>, 2> lineup_size_words{
    {{"actual", LineupSizes::actual}, {"equal", LineupSizes::equal}}};

// The size of a model among actual sizes.
struct LineupScale {
    std::optional<double> unit{};   // meters per unit of its file; empty: unit_in_row()
    std::optional<double> height{}; // meters, of its box over its motion; empty: according to the unit
};

struct LineupModel {
    SharedScene scene;
    std::string name{};        // of the node above it
    std::uint32_t clip = none; // that it plays; none: its static pose
    LineupScale scale{};
};

// Meters per unit of the file: that of the file, or of its format. Files of Quake's formats (md2, md3, md5)
// have units of the game, for which scene space takes meters; in a row they are inches, so that a player of
// 56 units is 1.42 m tall (docs/decisions/0038-units-in-a-row.md).
double unit_in_row(const Scene& scene);

// The box of a model over its motion in its own scene space, the direction that it faces, and its actual
// size.
struct LineupBox {
    Aabb box;
    glm::vec3 front{0.0f, 0.0f, 1.0f};
    float scale = 1.0f;            // of scene space
    std::optional<float> height{}; // meters, instead of the scale; not of a box that is flat
};

// Exact at the sampled times, without outliers (preview/outliers.hpp). Takes at most some tenths of a second.
Aabb box_of_motion(const Scene& scene, std::uint32_t clip);

// Returns the transform of each model to the row, from left to right in the order of the boxes, whose middle
// is at x = 0. The gap between two of them is a tenth of the largest side of all.
std::vector<Trs> place_in_row(std::span<const LineupBox> boxes, LineupSizes sizes);

// Where a model is in the row.
struct LineupPlace {
    Trs local;         // from its scene space
    Aabb box;          // over its motion, in the row; empty if it has none
    double unit = 1.0; // meters of the row per unit of its file
};
// Returns the places of the models. Takes as long as box_of_motion() of each.
std::vector<LineupPlace> place_models(std::span<const LineupModel> models, LineupSizes sizes);

// Returns the scene of all models, one after the other, each below a node with its name and place_models().
// Its clips are those that the models play, in order. A scene that is there several times has its meshes
// once. Roles of humanoids and material variants are left out. The result has to be validated, because limits
// hold for all that is drawn together. Preconditions: the scenes are valid and have the clips.
Scene make_lineup(std::span<const LineupModel> models, LineupSizes sizes);

// What is hit of a model: its index, and the hit in its scene. Position, normal and distance stay those of
// the row.
struct LineupHit {
    std::size_t model = 0;
    Hit hit;
};
// `hit`: in make_lineup() of the models. Preconditions: it names a node of one of them.
LineupHit hit_model(std::span<const LineupModel> models, const Hit& hit);

// The motion of one model, in the order of the clips of make_lineup().
struct LineupMotion {
    double duration = 0.0;        // seconds, of its clip
    std::optional<double> time{}; // stands still at this time of its clip; empty: plays
};

// Returns the layers that play all clips at once, which last as long as the longest; shorter ones are
// repeated. Null without motions.
SharedLayers play_together(std::span<const LineupMotion> motions);

} // namespace vitrine::scene
