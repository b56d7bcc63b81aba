#pragma once
// Several instances of one scene in one image: a crowd (View::crowd) and ghosts (View::ghosts). All poses of
// an image are skinned together; vertices, indices and textures are shared. Pure functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vk_renderer/base/frame_request.hpp"

namespace vitrine::render {

inline constexpr std::uint32_t max_crowd = 10'000;
inline constexpr std::uint32_t max_ghosts = 16; // before, and as many after
// Limits of all instances of an image together: their skinned vertices (16 bytes) and palette entries (80
// bytes with dual quaternions) fill the 128 MiB that every device can bind as one storage buffer.
inline constexpr std::uint64_t max_instance_vertices = (std::uint64_t{128} << 20) / 16;
inline constexpr std::uint64_t max_instance_joints = (std::uint64_t{128} << 20) / 80;
// So that a software device finishes an image within a few seconds.
inline constexpr std::uint64_t max_instance_triangles = std::uint64_t{1} << 24;
inline constexpr std::uint64_t max_instance_draws = 200'000;
// Likewise for pixels times the instances that may be behind one another at each of them: a device that draws
// longer than a submission may take counts as lost, and the model is quarantined.
inline constexpr std::uint64_t max_instance_pixels = std::uint64_t{1} << 28;

// What one instance takes.
struct InstanceSize {
    std::uint64_t vertices = 0, triangles = 0, joints = 0, draws = 0;
};

struct InstancePlacement {
    glm::vec3 offset{0.0f}; // meters, scene space
    // Linear color and opacity of a ghost, which casts no shadow. Opacity 0: drawn with the scene's
    // materials.
    glm::vec4 ghost{0.0f};

    bool operator==(const InstancePlacement&) const = default;
    bool is_ghost() const { return ghost.w > 0.0f; }
};

struct SceneInstance {
    ClipTime clip_time{};
    InstancePlacement placement{};

    bool operator==(const SceneInstance&) const = default;
};

inline bool has_instances(const View& view)
{
    return view.crowd > 1 || view.ghosts.count() > 0;
}

// Upper limit; ghosts outside of the motion are left out.
inline std::uint64_t instance_count(const View& view)
{
    return std::uint64_t{view.crowd} * (1 + view.ghosts.count());
}

// Returns the pixels of an image times the most instances that a view along the rows or columns of the crowd
// has behind one another; 0 for a single model.
std::uint64_t instance_pixels(const View& view);

// Returns the instances of an image: those of the crowd, row by row from the front left, then their ghosts.
// `model`: the box of one model over its motion, which determines the distances of the grid; unused without a
// crowd. The times of a crowd are the image's time plus a fraction of the duration that differs between
// neighbors, repeated beyond the end; equal for equal arguments. Ghosts are left out before the start and
// after the end of the motion.
std::vector<SceneInstance> instances_of(const scene::Scene& scene, const View& view,
                                        const ClipTime& clip_time, const scene::Aabb& model);

// Returns the box over all places of the crowd of a box in one of them. `model`: as for instances_of().
scene::Aabb over_crowd(const View& view, const scene::Aabb& model, const scene::Aabb& box);

// Returns a sentence if the instances of `view` exceed the limits in its image; empty: they do not.
std::optional<std::string> find_instances_fault(const View& view, const InstanceSize& size);
// As above, of this scene. Precondition: scene::validate().
std::optional<std::string> find_instances_fault(const View& view, const scene::Scene& scene);

} // namespace vitrine::render
