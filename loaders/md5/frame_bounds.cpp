#include "loaders/md5/scene_builder.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::md5 {
namespace {

constexpr std::uint64_t min_frames = 8;
constexpr std::uint64_t weights_for_more = 250'000; // about ten milliseconds

FrameBounds bounds_of(const Md5Model& model, const std::vector<Transform>& joints)
{
    FrameBounds box{glm::dvec3(1e30), glm::dvec3(-1e30)};
    for (const Md5Mesh& mesh : model.meshes) {
        for (const Md5Vertex& vertex : mesh.vertices) {
            glm::dvec3 position{0.0};
            for (std::uint32_t i = 0; i < vertex.weight_count; ++i) {
                const Md5Weight& weight = mesh.weights[vertex.first_weight + i];
                position += weight.bias * apply(joints[weight.joint], weight.position);
            }
            box.min = glm::min(box.min, position);
            box.max = glm::max(box.max, position);
        }
    }
    return box;
}

// Returns the largest distance between equal sides of two boxes, relative to the second one's diagonal.
double difference(const FrameBounds& declared, const FrameBounds& found)
{
    const glm::dvec3 low = glm::abs(declared.min - found.min), high = glm::abs(declared.max - found.max);
    const glm::dvec3 worst = glm::max(low, high);
    return std::max({worst.x, worst.y, worst.z}) / std::max(glm::distance(found.min, found.max), 1e-30);
}

} // namespace

void check_frame_bounds(const Skeleton& skeleton, const Md5Model& model, const Md5Animation& animation,
                        const ClipBinding& binding, std::string_view where, std::uint64_t& budget,
                        io::WarningLog& warnings)
{
    std::uint64_t weights = skeleton.names.size() + animation.joints.size();
    for (const Md5Mesh& mesh : model.meshes) {
        for (const Md5Vertex& vertex : mesh.vertices)
            weights += vertex.weight_count;
    }
    const std::uint64_t affordable =
        std::max(min_frames, weights_for_more / std::max<std::uint64_t>(weights, 1));
    const auto looks = static_cast<std::uint32_t>(std::min<std::uint64_t>(affordable, animation.frame_count));
    if (animation.bounds.empty() || model.meshes.empty() || weights * looks > budget) return;
    budget -= weights * looks;
    double worst = 0.0;
    std::uint32_t worst_frame = 0;
    std::vector<Transform> joints;
    for (std::uint32_t i = 0; i < looks; ++i) {
        const std::uint32_t frame =
            looks == 1
                ? 0
                : static_cast<std::uint32_t>(std::uint64_t{i} * (animation.frame_count - 1) / (looks - 1));
        binding.pose(frame, joints);
        const double off = difference(animation.bounds[frame], bounds_of(model, joints));
        if (off > worst) worst_frame = frame;
        worst = std::max(worst, off);
    }
    if (worst <= 0.1 || !warnings.accepts("md5_bounds_differ")) return;
    warnings.store(
        "md5_bounds_differ",
        fmt::format("the bounds of frame {} differ by {:.0f} % of the model's size; computed ones are "
                    "used",
                    worst_frame, 100.0 * std::min(worst, 1e6)),
        std::string(where));
}

} // namespace vitrine::md5
