#include "vk_renderer/framing.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

constexpr double poses_per_second = 30.0;
constexpr std::size_t most_poses = 4096;
// Skinned vertices that the framing of one clip may cost: some 3 s of a CPU, less than one of a GPU.
constexpr std::size_t vertices_on_cpu = std::size_t{1} << 28;
constexpr std::size_t vertices_on_gpu = std::size_t{1} << 33;

} // namespace

std::vector<double> framing_times(const scene::Clip& clip, std::size_t vertices, bool software)
{
    const auto affordable =
        (software ? vertices_on_cpu : vertices_on_gpu) / std::max<std::size_t>(vertices, 1);
    return scene::sample_times(clip, poses_per_second, std::clamp<std::size_t>(affordable, 2, most_poses));
}

scene::Aabb moved(const scene::Aabb& box, glm::dvec3 by)
{
    return {glm::dvec3(box.min) + by, glm::dvec3(box.max) + by};
}

} // namespace vitrine::render
