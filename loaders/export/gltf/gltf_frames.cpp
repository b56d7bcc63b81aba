#include "loaders/export/gltf/gltf_frames.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <unordered_map>

namespace vitrine::exporting {

namespace {

std::string_view bytes_of(std::span<const glm::vec3> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

} // namespace

FrameTargets find_frame_targets(const scene::Mesh& mesh)
{
    FrameTargets out;
    const std::size_t n = mesh.positions.size();
    std::unordered_multimap<std::size_t, std::uint32_t> known; // hash of a frame -> its index
    const auto positions = [&](std::uint32_t f) {
        return bytes_of(std::span(mesh.frames.positions).subspan(f * n, n));
    };
    const auto normals = [&](std::uint32_t f) {
        return bytes_of(std::span(mesh.frames.normals).subspan(f * n, n));
    };
    for (std::uint32_t f = 0; f < mesh.frames.count; ++f) {
        const std::size_t hash = std::hash<std::string_view>()(positions(f));
        const auto [begin, end] = known.equal_range(hash);
        const auto same = std::find_if(begin, end, [&](const auto& entry) {
            return positions(entry.second) == positions(f) && normals(entry.second) == normals(f);
        });
        if (same != end) {
            out.target.push_back(out.target[same->second]);
            continue;
        }
        known.emplace(hash, f);
        out.target.push_back(f == 0 ? scene::none : static_cast<std::uint32_t>(out.frame.size()));
        if (f > 0) out.frame.push_back(f);
    }
    return out;
}

std::vector<std::pair<std::uint32_t, float>> frame_weights(const FrameTargets& targets,
                                                           const scene::FrameBlend& blend)
{
    std::vector<std::pair<std::uint32_t, float>> out;
    const auto add = [&](std::size_t frame, float weight) {
        const auto target = targets.target[frame];
        if (target == scene::none) return;
        if (!out.empty() && out.front().first == target)
            out.front().second += weight;
        else
            out.emplace_back(target, weight);
    };
    add(blend.from, 1.0f - blend.fraction);
    if (blend.fraction > 0.0f) add(blend.to, blend.fraction);
    std::ranges::sort(out);
    return out;
}

} // namespace vitrine::exporting
