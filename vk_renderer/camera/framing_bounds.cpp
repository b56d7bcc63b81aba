#include "vk_renderer/camera/framing_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::render {
namespace {

constexpr double poses_per_second = 30.0;
constexpr std::size_t max_poses = 4096;
// Limit of skinned vertices for framing one clip: about 3 s on a CPU, less than 1 s on a GPU.
constexpr std::size_t max_vertices_on_cpu = std::size_t{1} << 28;
constexpr std::size_t max_vertices_on_gpu = std::size_t{1} << 33;
constexpr std::size_t max_joint_evaluations = 1'000'000; // joint evaluations per clip

std::size_t affordable_poses(std::size_t vertices, bool software)
{
    const auto affordable =
        (software ? max_vertices_on_cpu : max_vertices_on_gpu) / std::max<std::size_t>(vertices, 1);
    return std::clamp<std::size_t>(affordable, 2, max_poses);
}

// From 0 to `end` with both, at most `most` times.
std::vector<double> evenly_spaced(double end, std::size_t most)
{
    if (!(end > 0.0)) return {0.0};
    const auto steps = std::min(std::ceil(end * poses_per_second), static_cast<double>(most - 1));
    std::vector<double> times;
    for (double i = 0.0; i <= steps; ++i)
        times.push_back(end * i / steps);
    return times;
}

// Calls visit(pose) at those times of a motion.
template <class Visit>
void visit_motion(const scene::Scene& scene, const ClipTime& motion, std::span<const double> times,
                  glm::dvec3 origin, const Visit& visit)
{
    if (!motion.layers)
        return scene::visit_poses(scene, motion.clip, times, origin,
                                  [&](std::size_t, const scene::Pose& pose) { visit(pose); });
    scene::LayerSampler sampler;
    scene::Pose pose{.origin = origin};
    for (const double time : times) {
        sampler.sample(scene, *motion.layers, time, pose);
        visit(pose);
    }
}

} // namespace

std::vector<double> framing_times(const scene::Clip& clip, std::size_t vertices, bool software)
{
    return scene::sample_times(clip, poses_per_second, affordable_poses(vertices, software));
}

std::vector<double> framing_times(const scene::Scene& scene, const scene::AnimationLayers& layers,
                                  std::size_t vertices, bool software)
{
    return evenly_spaced(scene::duration_of(scene, layers), affordable_poses(vertices, software));
}

scene::Aabb joint_box(const scene::Scene& scene, const ClipTime& motion, glm::dvec3 origin)
{
    std::vector<bool> joints;
    scene::mark_skeleton_joints(scene, joints);
    if (std::ranges::find(joints, true) == joints.end()) return {};
    const auto affordable = std::clamp<std::size_t>(max_joint_evaluations / joints.size(), 2, max_poses);
    std::vector<double> times{0.0};
    if (motion.layers)
        times = evenly_spaced(scene::duration_of(scene, *motion.layers), affordable);
    else if (motion.clip != scene::none)
        times = scene::sample_times(scene.clips[motion.clip], poses_per_second, affordable);
    scene::Aabb box;
    visit_motion(scene, motion, times, origin, [&](const scene::Pose& pose) {
        for (std::size_t node = 0; node < joints.size(); ++node) {
            if (!joints[node]) continue;
            const glm::vec3 place(pose.model[node][3]);
            if (std::isfinite(place.x + place.y + place.z)) box.add(place);
        }
    });
    return box;
}

scene::Aabb bounds_without_outliers(const scene::Scene& scene, const scene::Outliers& outliers,
                                    std::span<const ClipTime> clip_times, glm::dvec3 origin)
{
    scene::Aabb box;
    scene::Skinner skinner(scene);
    scene::Pose pose{.origin = origin};
    for (const auto& clip_time : clip_times) {
        sample_pose(scene, clip_time, pose);
        const auto meshes = skinner.skin_positions(pose);
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            const auto& mesh = scene.meshes[skinner.instances()[i].mesh];
            for (const auto& primitive : mesh.primitives)
                for (const auto vertex : std::span(mesh.indices).subspan(primitive.first, primitive.count))
                    if (!outliers.has(i, vertex)) box.add(meshes[i].positions[vertex]);
        }
    }
    return box;
}

scene::Aabb include_joints(const scene::Aabb& model, const scene::Aabb& joints)
{
    if (joints.empty()) return model;
    const glm::vec3 farthest =
        glm::max(glm::abs(joints.min - model.center()), glm::abs(joints.max - model.center()));
    if (glm::length(farthest) <= 0.5f * glm::length(model.size())) return model;
    const glm::vec3 model_size(glm::length(model.size()));
    const scene::Aabb near{glm::clamp(joints.min, model.min - model_size, model.max + model_size),
                           glm::clamp(joints.max, model.min - model_size, model.max + model_size)};
    scene::Aabb all = model;
    all.add(near);
    return all;
}

scene::Aabb translated(const scene::Aabb& box, glm::dvec3 by)
{
    return {glm::dvec3(box.min) + by, glm::dvec3(box.max) + by};
}

Framing translated(const Framing& framing, glm::dvec3 by)
{
    return {translated(framing.model, by), translated(framing.framed, by)};
}

} // namespace vitrine::render
