#include "server/services/notes/surface_points.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/skinning/shape.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t max_point_work = 200'000'000; // vertices times poses
constexpr std::uint64_t joint_work = 4;               // of a joint matrix, in vertices

const scene::Instance* find_instance(const scene::Scene& scene, std::span<const scene::Instance> instances,
                                     const SurfacePoint& point)
{
    const auto draws = [&](const scene::Instance& instance) { return instance.mesh == point.mesh; };
    const auto exact = std::ranges::find_if(instances, [&](const scene::Instance& instance) {
        return draws(instance) && scene::file_node(scene, instance.node) == point.node;
    });
    const auto found = exact != instances.end() ? exact : std::ranges::find_if(instances, draws);
    return found == instances.end() ? nullptr : &*found;
}

// The instances that the points need, with a palette of their own, and which of them each point is on.
struct Followed {
    std::vector<scene::Instance> instances;
    std::vector<std::size_t> of_point;
};

Followed followed_instances(const scene::Scene& scene, std::span<const SurfacePoint> points)
{
    const auto all = scene::find_instances(scene);
    Followed followed;
    for (const auto& point : points) {
        const auto& wanted = *find_instance(scene, all, point);
        auto at = std::ranges::find(followed.instances, wanted.node, &scene::Instance::node);
        if (at == followed.instances.end()) {
            const auto first = scene::palette_size(followed.instances);
            followed.instances.push_back(wanted);
            at = std::prev(followed.instances.end());
            at->first_palette = first;
        }
        followed.of_point.push_back(static_cast<std::size_t>(at - followed.instances.begin()));
    }
    return followed;
}

// Of one pose.
std::uint64_t work_of(const scene::Scene& scene, const Followed& followed)
{
    std::uint64_t work = scene.nodes.size() + joint_work * scene::palette_size(followed.instances);
    for (const auto& instance : followed.instances) {
        const auto& mesh = scene.meshes[instance.mesh];
        if (!mesh.morph_targets.empty() || mesh.frames.count > 0) work += mesh.positions.size();
    }
    return work;
}

class PointFollower {
public:
    PointFollower(const scene::Scene& scene, std::span<const SurfacePoint> points, Followed followed)
        : scene_(scene), points_(points), followed_(std::move(followed)),
          palette_(scene::palette_size(followed_.instances)), scratch_(followed_.instances.size())
    {
    }

    void add(const scene::Pose& pose, std::vector<PointTrack>& tracks)
    {
        scene::joint_palette(scene_, followed_.instances, pose, palette_);
        for (std::size_t i = 0; i < followed_.instances.size(); ++i) {
            const scene::PositionSkinner skinner(scene_, followed_.instances[i], pose, palette_, scratch_[i]);
            for (std::size_t k = 0; k < points_.size(); ++k)
                if (followed_.of_point[k] == i) tracks[k].push_back(position(skinner, points_[k]));
        }
    }

private:
    glm::dvec3 position(const scene::PositionSkinner& skinner, const SurfacePoint& point) const
    {
        const auto& mesh = scene_.meshes[point.mesh];
        const auto& primitive = mesh.primitives[point.primitive];
        const auto corners = scene::corners_of(primitive.topology);
        glm::dvec3 sum(0.0);
        for (std::uint32_t corner = 0; corner < corners; ++corner) {
            glm::vec3 at(0.0f);
            skinner.skin(mesh.indices[primitive.first + point.triangle * corners + corner],
                         std::span(&at, 1));
            sum += point.barycentric[corner] * glm::dvec3(at);
        }
        return sum;
    }

    const scene::Scene& scene_;
    std::span<const SurfacePoint> points_;
    Followed followed_;
    std::vector<scene::PaletteEntry> palette_;
    std::vector<scene::SkinnedMesh> scratch_; // by instance
};

} // namespace

std::string surface_point_fault(const scene::Scene& scene, const SurfacePoint& point)
{
    constexpr double tolerance = 1e-3;
    if (point.mesh >= scene.meshes.size()) return "has no mesh of this number";
    if (!find_instance(scene, scene::find_instances(scene), point)) return "has no node that draws the mesh";
    const auto& primitives = scene.meshes[point.mesh].primitives;
    if (point.primitive >= primitives.size()) return "has no primitive of this number";
    const auto& primitive = primitives[point.primitive];
    if (point.triangle >= primitive.count / scene::corners_of(primitive.topology))
        return "has no triangle of this number";
    double sum = 0.0;
    for (std::size_t i = 0; i < point.barycentric.size(); ++i) {
        const auto share = point.barycentric[i];
        const bool is_share = share >= -tolerance && share <= 1.0 + tolerance;
        if (!is_share || (i >= scene::corners_of(primitive.topology) && share != 0.0))
            return "needs barycentric coordinates from 0 to 1, of its corners";
        sum += share;
    }
    return std::abs(sum - 1.0) <= tolerance ? std::string() : "needs barycentric coordinates whose sum is 1";
}

std::string topology_of(const scene::Scene& scene, std::uint32_t mesh)
{
    if (mesh >= scene.meshes.size()) return {};
    const auto& elements = scene.meshes[mesh];
    Sha256 hash;
    hash.update(fmt::format("{}", elements.positions.size()));
    for (const auto& primitive : elements.primitives)
        hash.update(
            fmt::format(" {} {} {}", static_cast<int>(primitive.topology), primitive.first, primitive.count));
    const auto bytes = std::as_bytes(std::span(elements.indices.data(), elements.indices.size()));
    hash.update({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return hash.finish();
}

Result<std::vector<PointTrack>> follow_points(const scene::Scene& scene, std::span<const SurfacePoint> points,
                                              std::uint32_t clip, std::span<const double> times)
{
    std::vector<PointTrack> tracks(points.size());
    if (points.empty()) return tracks;
    auto followed = followed_instances(scene, points);
    const auto work = work_of(scene, followed);
    if (work > max_point_work / std::max<std::size_t>(times.size(), 1))
        return make_error(Errc::too_large, "too_much_work",
                          "The places of the notes would take too long at so many times; request fewer.");
    PointFollower follower(scene, points, std::move(followed));
    if (clip == scene::none) {
        scene::Pose pose;
        scene::sample_pose(scene, clip, 0.0, pose);
        follower.add(pose, tracks);
        return tracks;
    }
    scene::visit_poses(scene, clip, times, glm::dvec3(0.0),
                       [&](std::size_t, const scene::Pose& pose) { follower.add(pose, tracks); });
    return tracks;
}

} // namespace vitrine::server
