// How fast the nodes of clips turn or move.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/similarity/buckets.hpp"
#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t steps = 64;         // of a clip; 4 in each sixteenth
constexpr double max_node_poses = 4e6;    // of all clips
constexpr double min_node_path = 0.01;    // radians; less is rounding
constexpr double min_length_share = 1e-4; // of the distance from the node's parent: likewise for moves

// By step and node: how far the node turned (radians) or moved relative to its parent.
struct NodePaths {
    std::vector<std::array<float, steps>> turns, moves;
};

double angle_of(const glm::quat& from, const glm::quat& to)
{
    const auto between = glm::conjugate(from) * to;
    return 2.0 * std::atan2(std::sqrt(double{between.x} * between.x + double{between.y} * between.y +
                                      double{between.z} * between.z),
                            std::abs(double{between.w}));
}

// The nodes of the file that the clip moves.
std::vector<std::uint32_t> moved_nodes(const Scene& scene, const Clip& clip)
{
    std::vector<std::uint32_t> nodes;
    for (const Channel& channel : clip.channels) {
        if (channel.path == Path::weights || channel.path == Path::vertex_frame || channel.is_placeholder)
            continue;
        if (const auto node = channel_node(scene, channel); node != none) nodes.push_back(node);
    }
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    return nodes;
}

NodePaths measure_paths(const Scene& scene, std::uint32_t clip, const std::vector<std::uint32_t>& nodes)
{
    std::vector<double> times;
    for (std::size_t i = 0; i <= steps; ++i)
        times.push_back(scene.clips[clip].duration * static_cast<double>(i) / steps);
    NodePaths paths{.turns = {nodes.size(), std::array<float, steps>{}},
                    .moves = {nodes.size(), std::array<float, steps>{}}};
    std::vector<Trs> last(nodes.size());
    visit_poses(scene, clip, times, glm::dvec3(0.0), [&](std::size_t i, const Pose& pose) {
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Trs now = file_local(scene, &pose, nodes[n]);
            if (i > 0) {
                paths.turns[n][i - 1] = static_cast<float>(angle_of(last[n].rotation, now.rotation));
                paths.moves[n][i - 1] = glm::distance(last[n].translation, now.translation);
            }
            last[n] = now;
        }
    });
    return paths;
}

double sum_of(const std::array<float, steps>& path)
{
    return std::accumulate(path.begin(), path.end(), 0.0);
}

std::uint8_t share_of(double part, double all)
{
    return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(part / all, 0.0, 1.0)));
}

// `min_path`: of a node that counts.
std::optional<MotionSignature> summarize(const std::vector<std::array<float, steps>>& paths, double min_path)
{
    MotionSignature found;
    std::array<double, steps> by_step{};
    std::vector<double> by_node;
    double all = 0.0;
    for (const auto& path : paths) {
        const double sum = sum_of(path);
        if (!std::isfinite(sum) || sum < min_path) continue;
        by_node.push_back(sum);
        all += sum;
        for (std::size_t i = 0; i < steps; ++i)
            by_step[i] += path[i];
    }
    if (by_node.empty()) return std::nullopt;
    std::ranges::sort(by_node, std::greater());
    found.path = all;
    found.moving = static_cast<std::uint32_t>(by_node.size());
    double before = 0.0;
    for (std::size_t i = 0; i < steps; ++i) {
        found.center += by_step[i] / all * (static_cast<double>(i) + 0.5) / steps;
        before += by_step[i];
        if ((i + 1) % (steps / found.times.size()) == 0)
            found.times[i / (steps / found.times.size())] = share_of(before, all);
    }
    for (std::size_t i = 0; i < std::min(by_node.size(), found.shares.size()); ++i)
        found.shares[i] = share_of(by_node[i], all);
    return found;
}

std::optional<MotionSignature> signature_of(const Scene& scene, std::uint32_t clip,
                                            const std::vector<std::uint32_t>& nodes)
{
    const auto paths = measure_paths(scene, clip, nodes);
    auto found = summarize(paths.turns, min_node_path);
    if (!found) {
        double longest = 0.0;
        for (const auto& path : paths.moves)
            longest = std::max(longest, sum_of(path));
        if (longest > 0.0) found = summarize(paths.moves, std::max(min_length_share * longest, 1e-12));
        if (found) found->path = 0.0;
    }
    if (found) found->duration = scene.clips[clip].duration;
    return found;
}

std::array<GridNumber, 4> grid_numbers_of(const MotionSignature& m)
{
    return {{{std::log(std::max(m.duration, 1e-6)), 0.03},
             {std::log(std::max(m.path, 1e-3)), 0.12},
             {std::log(static_cast<double>(std::max(m.moving, 1u))), 0.2},
             {m.center, 0.02}}};
}

template <std::size_t N>
double mean_share_difference(const std::array<std::uint8_t, N>& a, const std::array<std::uint8_t, N>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < N; ++i)
        sum += std::abs(int{a[i]} - int{b[i]});
    return sum / (255.0 * N);
}

} // namespace

std::vector<std::optional<MotionSignature>> motion_signatures(const Scene& scene)
{
    std::vector<std::optional<MotionSignature>> found;
    double node_poses = 0.0;
    for (std::uint32_t clip = 0; clip < scene.clips.size() && clip < max_motion_signatures; ++clip) {
        found.emplace_back();
        const auto nodes = moved_nodes(scene, scene.clips[clip]);
        node_poses += static_cast<double>(scene.nodes.size()) * steps;
        if (nodes.empty() || !(scene.clips[clip].duration > 0.0) || node_poses > max_node_poses) continue;
        found.back() = signature_of(scene, clip, nodes);
    }
    return found;
}

std::int64_t bucket_of(const MotionSignature& signature)
{
    return pack_cells(grid_numbers_of(signature));
}

std::vector<std::int64_t> buckets_near(const MotionSignature& signature)
{
    return pack_cells_near(grid_numbers_of(signature), 1.0);
}

std::optional<double> compare(const MotionSignature& a, const MotionSignature& b)
{
    constexpr double time_tolerance = 0.03, node_tolerance = 0.03; // mean differences of shares
    const auto in_a = grid_numbers_of(a), in_b = grid_numbers_of(b);
    double off = std::max(mean_share_difference(a.times, b.times) / time_tolerance,
                          mean_share_difference(a.shares, b.shares) / node_tolerance);
    for (std::size_t i = 0; i < in_a.size(); ++i)
        off = std::max(off, std::abs(in_a[i].value - in_b[i].value) / in_a[i].tolerance);
    if (off > 1.0 || (a.path == 0.0) != (b.path == 0.0)) return std::nullopt;
    return 1.0 - 0.5 * off;
}

} // namespace vitrine::scene
