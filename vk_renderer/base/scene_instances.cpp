#include "vk_renderer/base/scene_instances.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace vitrine::render {
namespace {

// Distance of neighbors in sizes of the model; at least this fraction of its longest side.
constexpr float grid_spacing = 1.2f;
constexpr float min_grid_fraction = 0.4f;

// The fractional parts of multiples of these numbers differ between neighbors in rows, columns and diagonals:
// Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences" (2018), R2.
constexpr double column_phase = 0.7548776662466927;
constexpr double row_phase = 0.5698402909980532;

// Linear colors.
constexpr glm::vec3 before_color{0.80f, 0.09f, 0.02f};
constexpr glm::vec3 after_color{0.02f, 0.22f, 0.75f};
constexpr float max_ghost_opacity = 0.42f, min_ghost_opacity = 0.10f;

// The places of a crowd: a grid as square as possible on the ground, around the model's own place.
struct CrowdGrid {
    std::uint32_t columns = 1, rows = 1;
    glm::vec2 spacing{0.0f}; // along x and z, meters

    glm::vec3 offset(std::uint32_t i) const
    {
        const auto row_number = i / columns;
        const auto column = static_cast<float>(i % columns), row = static_cast<float>(row_number);
        return {(column - 0.5f * static_cast<float>(columns - 1)) * spacing.x, 0.0f,
                (0.5f * static_cast<float>(rows - 1) - row) * spacing.y};
    }
    // Of the duration, 0..1.
    double phase(std::uint32_t i) const
    {
        const auto row = i / columns;
        const double sum = column_phase * (i % columns) + row_phase * static_cast<double>(row);
        return sum - std::floor(sum);
    }
};

CrowdGrid crowd_grid(std::uint32_t count, const scene::Aabb& model)
{
    const auto size = model.empty() ? glm::vec3(1.0f) : model.size();
    const float least = min_grid_fraction * std::max({size.x, size.y, size.z});
    CrowdGrid grid;
    grid.spacing = {std::max(grid_spacing * size.x, least), std::max(grid_spacing * size.z, least)};
    const double ratio = grid.spacing.x > 0.0f ? static_cast<double>(grid.spacing.y) / grid.spacing.x : 1.0;
    const auto columns = std::ceil(std::sqrt(count * std::clamp(ratio, 1e-6, 1e6)));
    grid.columns = static_cast<std::uint32_t>(std::clamp(columns, 1.0, static_cast<double>(count)));
    grid.rows = (count + grid.columns - 1) / grid.columns;
    return grid;
}

// `number`: 1 is nearest to the shown pose, `count` farthest.
glm::vec4 ghost_color(const glm::vec3& color, std::uint32_t number, std::uint32_t count)
{
    const float far = count > 1 ? static_cast<float>(number - 1) / static_cast<float>(count - 1) : 0.0f;
    return {color, glm::mix(max_ghost_opacity, min_ghost_opacity, far)};
}

// Adds the ghosts of `shown`, farthest first.
void add_ghosts(const Ghosts& ghosts, const SceneInstance& shown, double duration,
                std::vector<SceneInstance>& out)
{
    const auto add = [&](std::uint32_t number, std::uint32_t count, double step, const glm::vec3& color) {
        auto ghost = shown;
        ghost.clip_time.time += step * number;
        ghost.placement.ghost = ghost_color(color, number, count);
        if (ghost.clip_time.time >= 0.0 && ghost.clip_time.time <= duration) out.push_back(ghost);
    };
    for (auto number = ghosts.before; number > 0; --number)
        add(number, ghosts.before, -ghosts.step, before_color);
    for (auto number = ghosts.after; number > 0; --number)
        add(number, ghosts.after, ghosts.step, after_color);
}

} // namespace

std::vector<SceneInstance> instances_of(const scene::Scene& scene, const View& view,
                                        const ClipTime& clip_time, const scene::Aabb& model)
{
    const bool valid =
        clip_time.layers || clip_time.clip == scene::none || clip_time.clip < scene.clips.size();
    const double duration = valid ? duration_of(scene, clip_time) : 0.0;
    const auto grid = crowd_grid(view.crowd, model);
    std::vector<SceneInstance> instances;
    for (std::uint32_t i = 0; i < view.crowd; ++i) {
        auto& instance = instances.emplace_back(clip_time);
        if (view.crowd == 1) break;
        instance.placement.offset = grid.offset(i);
        if (duration > 0.0) {
            const double turns = clip_time.time / duration + grid.phase(i);
            instance.clip_time.time = (turns - std::floor(turns)) * duration;
        }
    }
    if (duration > 0.0 && view.ghosts.count() > 0)
        for (std::uint32_t i = 0; i < view.crowd; ++i)
            add_ghosts(view.ghosts, SceneInstance(instances[i]), duration, instances);
    return instances;
}

scene::Aabb over_crowd(const View& view, const scene::Aabb& model, const scene::Aabb& box)
{
    if (view.crowd <= 1 || box.empty()) return box;
    const auto grid = crowd_grid(view.crowd, model);
    const auto corner = glm::abs(grid.offset(0));
    return {box.min - corner, box.max + corner};
}

// The distances of a grid differ by a factor of 3 at most, and so do rows and columns.
std::uint64_t instance_pixels(const View& view)
{
    if (!has_instances(view)) return 0;
    constexpr double max_spacing_ratio = grid_spacing / min_grid_fraction;
    const auto side = view.crowd > 1 ? std::ceil(std::sqrt(max_spacing_ratio * view.crowd)) : 1.0;
    return std::uint64_t{view.width} * view.height * static_cast<std::uint64_t>(side) *
           (1 + view.ghosts.count());
}

std::optional<std::string> find_instances_fault(const View& view, const InstanceSize& size)
{
    const auto pixels = std::uint64_t{view.width} * view.height;
    if (const auto drawn = instance_pixels(view); drawn > max_instance_pixels)
        return fmt::format("an image of so many instances with their ghosts has at most {} pixels, not {}",
                           max_instance_pixels / (drawn / pixels), pixels);
    const auto count = instance_count(view);
    std::uint64_t most = max_crowd;
    for (const auto& [limit, each] :
         {std::pair(max_instance_vertices, size.vertices), std::pair(max_instance_triangles, size.triangles),
          std::pair(max_instance_joints, size.joints), std::pair(max_instance_draws, size.draws)})
        most = std::min(most, limit / std::max<std::uint64_t>(each, 1));
    if (!has_instances(view) || count <= most) return std::nullopt;
    return fmt::format(
        "an image shows at most {} instances of this model ({} vertices, {} triangles, {} joints, "
        "{} parts) with their ghosts, not {}",
        most, size.vertices, size.triangles, size.joints, size.draws, count);
}

std::optional<std::string> find_instances_fault(const View& view, const scene::Scene& scene)
{
    if (!has_instances(view)) return std::nullopt;
    const auto instances = scene::find_instances(scene);
    InstanceSize size{.joints = std::max<std::uint64_t>(scene::palette_size(instances), scene.nodes.size())};
    for (const auto& instance : instances) {
        const auto& mesh = scene.meshes[instance.mesh];
        size.vertices += mesh.positions.size();
        size.triangles += mesh.indices.size() / 3;
        size.draws += mesh.primitives.size();
    }
    return find_instances_fault(view, size);
}

} // namespace vitrine::render
