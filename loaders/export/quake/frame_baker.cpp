#include "loaders/export/quake/frame_baker.hpp"

#include <cmath>

#include "loaders/export/quake/quake_axes.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::exporting {

std::vector<FrameTime> frame_times(const scene::Scene& scene, double rate)
{
    std::vector<FrameTime> times;
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        constexpr double frame_tolerance = 1e-4; // in frames, because durations are stored as floats
        auto last =
            static_cast<std::uint32_t>(std::ceil(scene.clips[clip].duration * rate - frame_tolerance));
        if (scene::is_closed_loop(scene.clips[clip])) --last; // it equals the first frame
        for (std::uint32_t f = 0; f <= last; ++f)
            times.push_back({clip, f, f / rate});
    }
    if (times.empty()) times.push_back({});
    return times;
}

FrameBaker::FrameBaker(const scene::Scene& scene)
    : scene_(scene), to_file_(quake_axes(scene)), skinner_(scene)
{
}

std::span<const scene::SkinnedMesh> FrameBaker::bake(const FrameTime& frame)
{
    scene::sample_pose(scene_, frame.clip, frame.time, pose_);
    const auto skinned = skinner_.skin(pose_);
    meshes_.assign(skinned.begin(), skinned.end());
    for (auto& mesh : meshes_)
        for (auto* vectors : {&mesh.positions, &mesh.normals})
            for (glm::vec3& v : *vectors)
                v = to_file_ * v;
    return meshes_;
}

} // namespace vitrine::exporting
