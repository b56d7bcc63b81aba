#include "loaders/scene/lineup/lineup.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

#include "loaders/base/stop.hpp"
#include "loaders/scene/bounds/clip_bounds.hpp"
#include "loaders/scene/layers/append_scene.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::scene {
namespace {

constexpr double poses_per_second = 30.0;
constexpr std::size_t max_poses = 1024;                            // of a model
constexpr std::size_t max_skinned_vertices = std::size_t{1} << 24; // over all poses of a model
constexpr double inch = 0.0254;                                    // meters
constexpr float gap = 0.1f; // between two models, of the largest side of all boxes

std::vector<double> times_of(const Scene& scene, std::uint32_t clip)
{
    if (clip == none) return {0.0};
    std::size_t vertices = 1;
    for (const Node& node : scene.nodes)
        if (node.mesh != none) vertices += scene.meshes[node.mesh].positions.size();
    return sample_times(scene.clips[clip], poses_per_second,
                        std::clamp<std::size_t>(max_skinned_vertices / vertices, 2, max_poses));
}

// A few poses are enough: the size of such a model is that of its other parts.
Aabb box_without_outliers(const Scene& scene, std::uint32_t clip, std::vector<double> times,
                          const Outliers& outliers)
{
    constexpr std::size_t max_times = 8;
    if (times.size() > max_times) times.resize(max_times);
    Skinner skinner(scene);
    Aabb box;
    visit_poses(scene, clip, times, glm::dvec3(0.0), [&](std::size_t, const Pose& pose) {
        const auto meshes = skinner.skin_positions(pose);
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            const Mesh& mesh = scene.meshes[skinner.instances()[i].mesh];
            for (const Primitive& primitive : mesh.primitives)
                for (const auto vertex : std::span(mesh.indices).subspan(primitive.first, primitive.count))
                    if (!outliers.has(i, vertex)) box.add(meshes[i].positions[vertex]);
        }
    });
    return box;
}

// The box after the rotation.
Aabb turned(const Aabb& box, const glm::quat& rotation)
{
    Aabb all;
    for (int corner = 0; corner < 8; ++corner)
        all.add(rotation * glm::vec3((corner & 1) != 0 ? box.max.x : box.min.x,
                                     (corner & 2) != 0 ? box.max.y : box.min.y,
                                     (corner & 4) != 0 ? box.max.z : box.min.z));
    return all;
}

// Turns `front` about Y to +Z.
glm::quat rotation_to_viewer(const glm::vec3& front)
{
    const double yaw = std::atan2(double{front.x}, double{front.z});
    return {static_cast<float>(std::cos(0.5 * yaw)), 0.0f, static_cast<float>(-std::sin(0.5 * yaw)), 0.0f};
}

float largest_side(const Aabb& box)
{
    const auto size = box.size();
    const float side = std::max({size.x, size.y, size.z});
    return std::isfinite(side) ? side : 0.0f;
}

constexpr float no_extent = 1e-12f; // meters

// From scene space to the size in the row.
float scale_of(const LineupBox& model, LineupSizes sizes)
{
    if (sizes == LineupSizes::equal) {
        const float side = largest_side(model.box);
        return side > no_extent ? 1.0f / side : 1.0f;
    }
    const float height = model.box.size().y;
    const bool is_flat = !std::isfinite(height) || height <= no_extent;
    return model.height && !is_flat ? *model.height / height : model.scale;
}

// The box of a model at its place.
Aabb box_at(const Trs& place, const Aabb& box)
{
    if (largest_side(box) <= 0.0f) return {};
    const Aabb there = turned(box, place.rotation);
    return {there.min * place.scale + place.translation, there.max * place.scale + place.translation};
}

// The clip, for nodes that begin at `first_node`.
Clip moved_clip(const Clip& clip, std::uint32_t first_node)
{
    Clip moved = clip;
    moved.declared_boxes.clear();
    for (Channel& channel : moved.channels) {
        channel.node += first_node;
        channel.is_placeholder = false; // nothing is below it
    }
    return moved;
}

std::string text_of(double value)
{
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

} // namespace

Aabb box_of_motion(const Scene& scene, std::uint32_t clip)
{
    const auto times = times_of(scene, clip);
    if (const auto outliers = find_outliers(scene))
        return box_without_outliers(scene, clip, times, *outliers);
    return ClipBounds(scene).over(clip, times).exact;
}

std::vector<Trs> place_in_row(std::span<const LineupBox> boxes, LineupSizes sizes)
{
    std::vector<Trs> places;
    std::vector<Aabb> placed; // turned and scaled
    float largest = 0.0f, width = 0.0f;
    for (const LineupBox& model : boxes) {
        const float scale = scale_of(model, sizes);
        const glm::quat rotation = rotation_to_viewer(model.front);
        const bool has_extent = largest_side(model.box) > 0.0f;
        const Aabb there = has_extent ? turned(model.box, rotation) : Aabb{glm::vec3(0.0f), glm::vec3(0.0f)};
        placed.push_back({there.min * scale, there.max * scale});
        places.push_back({.rotation = rotation, .scale = glm::vec3(scale)});
        largest = std::max(largest, largest_side(placed.back()));
        width += placed.back().size().x;
    }
    const float between = gap * largest;
    float left = -0.5f * (width + between * static_cast<float>(boxes.size() - 1));
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Aabb& box = placed[i];
        places[i].translation = {left - box.min.x, -box.min.y, -box.center().z};
        left += box.size().x + between;
    }
    return places;
}

double unit_in_row(const Scene& scene)
{
    const bool has_game_units = scene.format == "md2" || scene.format == "md3" || scene.format == "md5";
    return has_game_units ? inch : scene.file_space.unit_meters;
}

std::vector<LineupPlace> place_models(std::span<const LineupModel> models, LineupSizes sizes)
{
    std::map<std::pair<const Scene*, std::uint32_t>, Aabb> boxes;
    std::vector<LineupBox> row;
    for (const LineupModel& model : models) {
        check_stop();
        const auto [box, is_new] = boxes.try_emplace({model.scene.get(), model.clip});
        if (is_new) box->second = box_of_motion(*model.scene, model.clip);
        const FileSpace& file = model.scene->file_space;
        const double unit = model.scale.unit.value_or(unit_in_row(*model.scene));
        row.push_back({box->second, file.front, static_cast<float>(unit / file.unit_meters),
                       static_cast<std::optional<float>>(model.scale.height)});
    }
    const auto places = place_in_row(row, sizes);
    std::vector<LineupPlace> placed_models;
    for (std::size_t i = 0; i < models.size(); ++i)
        placed_models.push_back({places[i], box_at(places[i], row[i].box),
                                 places[i].scale.x * models[i].scene->file_space.unit_meters});
    return placed_models;
}

Scene make_lineup(std::span<const LineupModel> models, LineupSizes sizes)
{
    const auto places = place_models(models, sizes);
    Scene scene{.format = std::string(lineup_format)};
    std::map<const Scene*, AppendedParts> earlier;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const LineupModel& model = models[i];
        const auto above = static_cast<std::uint32_t>(scene.nodes.size());
        scene.nodes.push_back({.name = model.name, .local = places[i].local});
        const auto found = earlier.find(model.scene.get());
        const auto parts =
            append_scene(scene, *model.scene, above, found == earlier.end() ? nullptr : &found->second);
        earlier.try_emplace(model.scene.get(), parts);
        if (model.clip != none)
            scene.clips.push_back(moved_clip(model.scene->clips[model.clip], parts.nodes));
    }
    return scene;
}

LineupHit hit_model(std::span<const LineupModel> models, const Hit& hit)
{
    LineupHit found{.hit = hit};
    std::size_t first = 1; // node of the model, after the one above it
    while (hit.node >= first + models[found.model].scene->nodes.size())
        first += models[found.model++].scene->nodes.size() + 1;
    const Scene& scene = *models[found.model].scene;
    const auto shift = static_cast<std::uint32_t>(first);
    found.hit.node -= shift;
    if (found.hit.joint != none) found.hit.joint -= shift;
    found.hit.mesh = scene.nodes[found.hit.node].mesh;
    if (hit.material != none)
        found.hit.material = scene.meshes[found.hit.mesh].primitives[hit.primitive].material;
    return found;
}

SharedLayers play_together(std::span<const LineupMotion> motions)
{
    if (motions.empty()) return nullptr;
    AnimationLayers layers{.key = "together"};
    for (std::uint32_t clip = 0; clip < motions.size(); ++clip) {
        layers.layers.push_back({.clip = clip, .time = motions[clip].time});
        if (const auto& time = motions[clip].time)
            layers.key += " " + std::to_string(clip) + "@" + text_of(*time);
    }
    // The first layer that plays determines the duration.
    std::ranges::sort(layers.layers, std::ranges::greater{}, [&](const PoseLayer& layer) {
        return std::pair(motions[layer.clip].duration, -static_cast<std::int64_t>(layer.clip));
    });
    return std::make_shared<const AnimationLayers>(std::move(layers));
}

} // namespace vitrine::scene
