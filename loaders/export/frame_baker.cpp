#include "loaders/export/frame_baker.hpp"

#include <cmath>

namespace vitrine::exporting {

std::vector<FrameTime> frame_times(const scene::Scene& scene, double rate)
{
    std::vector<FrameTime> times;
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        constexpr double slack = 1e-4; // of a frame: durations are floats at heart
        const auto last = static_cast<std::uint32_t>(std::ceil(scene.clips[clip].duration * rate - slack));
        for (std::uint32_t f = 0; f <= last; ++f)
            times.push_back({clip, f, f / rate});
    }
    if (times.empty()) times.push_back({});
    return times;
}

FrameBaker::FrameBaker(const scene::Scene& scene)
    : scene_(scene), instances_(scene::find_instances(scene)), palette_(scene::palette_size(instances_)),
      meshes_(instances_.size())
{
}

std::span<const scene::SkinnedMesh> FrameBaker::bake(const FrameTime& frame)
{
    if (frame.clip == scene::none)
        scene::rest_pose(scene_, pose_);
    else
        scene::sample_pose(scene_, frame.clip, frame.time, pose_);
    scene::joint_palette(scene_, instances_, pose_, palette_);
    for (std::size_t i = 0; i < instances_.size(); ++i) {
        scene::skin_instance(scene_, instances_[i], pose_, palette_, meshes_[i]);
        for (auto* vectors : {&meshes_[i].positions, &meshes_[i].normals})
            for (glm::vec3& v : *vectors)
                v = glm::vec3(v.x, -v.z, v.y);
    }
    return meshes_;
}

} // namespace vitrine::exporting
