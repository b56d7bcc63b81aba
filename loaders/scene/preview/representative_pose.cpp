#include "loaders/scene/preview/representative_pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/clip_motion.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/preview/clip_name_rank.hpp"
#include "loaders/scene/preview/decimate.hpp"
#include "loaders/scene/preview/screen_coverage.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::scene {
namespace {

constexpr double preferred_time_fraction = 0.35;      // of the clip's duration
constexpr std::size_t element_budget = 400;           // elements that are evaluated
constexpr std::size_t max_sample_times = 16;          // per clip
constexpr std::size_t max_node_evaluations = 200'000; // for all sample times
// relative to the model's size: minimum difference between bind pose and another pose
constexpr float min_pose_change = 0.05f;
constexpr float near_max_distance_ratio = 0.97f; // of the largest mean_distance: still counts as the largest
constexpr float outlier_pose_ratio = 1.6f;       // relative to the median mean_distance from the clip's mean
constexpr float near_max_coverage_ratio = 0.6f;  // of the largest coverage: sufficient
constexpr float min_coverage_ratio = 0.2f; // of the static pose's coverage: clips below it hide the model
// relative to the model's size, mean over the clip: visible in a thumbnail
constexpr float min_visible_motion = 0.04f;
constexpr float min_motion_ratio = 2.0f;      // relative to a clip without visible motion
constexpr std::size_t max_unranked_clips = 3; // clips with unknown names that are evaluated

using PointCloud = std::vector<glm::vec3>;

// Moves the points so that their mean is the origin: traveling in a walk does not make a different pose.
void move_to_origin(PointCloud& point_cloud)
{
    glm::dvec3 sum(0.0);
    for (const auto& point : point_cloud)
        sum += point;
    const glm::vec3 mean(sum / static_cast<double>(std::max<std::size_t>(point_cloud.size(), 1)));
    for (auto& point : point_cloud)
        point -= mean;
}

// Mean over the points; very large if it is not finite.
float mean_distance(const PointCloud& a, const PointCloud& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += glm::length(a[i] - b[i]);
    const auto mean = static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(a.size(), 1)));
    return std::isfinite(mean) ? mean : std::numeric_limits<float>::max();
}

PointCloud mean_of(const std::vector<PointCloud>& point_clouds)
{
    PointCloud mean(point_clouds.front().size(), glm::vec3(0.0f));
    for (const auto& point_cloud : point_clouds)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += point_cloud[i] / static_cast<float>(point_clouds.size());
    return mean;
}

// Sample times of a clip with their distances; times at which most of the model has vanished are excluded.
struct PoseDistances {
    std::vector<double> times;
    std::vector<float> from_rest, from_mean;
    float size = 0.0f;         // of the static pose: mean mean_distance from its center
    bool mostly_empty = false; // the clip shows little of the static pose at any time
};

std::vector<double> sample_times_of(const Scene& scene, std::uint32_t clip)
{
    const auto count = std::clamp<std::size_t>(
        max_node_evaluations / std::max<std::size_t>(scene.nodes.size(), 1), 4, max_sample_times);
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i)
        times.push_back(scene.clips[clip].duration * (static_cast<double>(i) + 0.5) /
                        static_cast<double>(count));
    return times;
}

PoseDistances measure(const Scene& scene, std::uint32_t clip)
{
    const Scene reduced = decimated(scene, element_budget);
    Skinner skinner(reduced);
    ScreenCoverage screen_coverage(reduced);
    Pose pose;
    static_pose(scene, pose);
    PointCloud rest = skinner.skinned_positions(pose);
    screen_coverage.add(rest);
    move_to_origin(rest);
    PoseDistances out;
    out.size = mean_distance(rest, PointCloud(rest.size(), glm::vec3(0.0f)));
    std::vector<PointCloud> point_clouds;
    const auto times = sample_times_of(scene, clip);
    visit_poses(scene, clip, times, glm::dvec3(0.0), [&](std::size_t, const Pose& moved) {
        screen_coverage.add(point_clouds.emplace_back(skinner.skinned_positions(moved)));
        move_to_origin(point_clouds.back());
    });
    const auto full = screen_coverage.values(); // coverages; the static pose is first
    const float max_coverage = *std::max_element(full.begin() + 1, full.end());
    out.mostly_empty = max_coverage < min_coverage_ratio * full[0];
    std::vector<PointCloud> candidates;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (full[i + 1] < near_max_coverage_ratio * max_coverage) continue;
        out.times.push_back(times[i]);
        out.from_rest.push_back(mean_distance(point_clouds[i], rest));
        candidates.push_back(std::move(point_clouds[i]));
    }
    const PointCloud mean = mean_of(candidates);
    for (const auto& point_cloud : candidates)
        out.from_mean.push_back(mean_distance(point_cloud, mean));
    return out;
}

float median(std::vector<float> values)
{
    const auto median_at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, median_at);
    return *median_at;
}

// A time of a clip and its mean_distance from the static pose relative to the size of that pose.
struct ClipPose {
    RepresentativePose representative;
    float static_pose_distance = 0.0f;
    bool mostly_empty = false; // see PoseDistances
    float mean_motion =
        0.0f; // mean mean_distance from the clip's mean, relative to the size of the static pose
};

ClipPose evaluate_clip(const Scene& scene, std::uint32_t clip)
{
    const double duration = scene.clips[clip].duration;
    const auto [times, from_rest, from_mean, size, mostly_empty] = measure(scene, clip);
    const float typical_distance = outlier_pose_ratio * median(from_mean);
    float max_typical_distance = 0.0f;
    for (std::size_t i = 0; i < times.size(); ++i)
        if (from_mean[i] <= typical_distance)
            max_typical_distance = std::max(max_typical_distance, from_rest[i]);
    double chosen = preferred_time_fraction * duration, best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double off = std::abs(times[i] - preferred_time_fraction * duration);
        if (from_mean[i] > typical_distance ||
            !(from_rest[i] >= near_max_distance_ratio * max_typical_distance) || off >= best)
            continue;
        best = off;
        chosen = times[i];
    }
    if (!(size > 0.0f)) return {{clip, chosen}, 0.0f, mostly_empty, 0.0f};
    float sum = 0.0f;
    for (const float distance_from_mean : from_mean)
        sum += distance_from_mean;
    return {{clip, chosen},
            max_typical_distance / size,
            mostly_empty,
            sum / static_cast<float>(from_mean.size()) / size};
}

// Vertex animation (MD2, MD3) has no bind pose: its first frame is a regular pose.
bool has_bind_pose(const Scene& scene)
{
    return std::ranges::none_of(scene.meshes, [](const Mesh& mesh) { return mesh.frames.count > 0; });
}

ClipMotion motion_of(const Scene& scene)
{
    return ClipMotion(scene, glm::length(static_bounds(decimated(scene, element_budget)).size()));
}

std::uint32_t count_of(const Scene& scene, CandidateClips candidates)
{
    return static_cast<std::uint32_t>(std::min(candidates.count, scene.clips.size()));
}

// The first clip with the best rank, not below `min_rank`, among the candidates accepted by `is_accepted`.
std::uint32_t best_ranked_clip(const Scene& scene, CandidateClips candidates, int min_rank,
                               const auto& is_accepted)
{
    std::uint32_t found = none;
    int best = std::numeric_limits<int>::max();
    for (std::uint32_t clip = 0; clip < count_of(scene, candidates); ++clip) {
        const int rank = clip_name_rank(scene.clips[clip].name);
        if (rank < min_rank || rank >= best || !is_accepted(scene.clips[clip])) continue;
        found = clip;
        best = rank;
    }
    return found;
}

// The first moving clip of each rank that represents a model well; none where there is no such clip.
std::array<std::uint32_t, unknown_name_rank>
first_clip_of_each_rank(const Scene& scene, CandidateClips candidates, const ClipMotion& motion)
{
    std::array<std::uint32_t, unknown_name_rank> first;
    first.fill(none);
    for (std::uint32_t clip = 0; clip < count_of(scene, candidates); ++clip) {
        const auto rank = static_cast<std::size_t>(clip_name_rank(scene.clips[clip].name));
        if (rank < first.size() && first[rank] == none && motion.moves(scene.clips[clip])) first[rank] = clip;
    }
    return first;
}

// The pose selected by select_representative_pose(); empty: the static pose.
std::optional<ClipPose> best_clip_pose(const Scene& scene, CandidateClips candidates)
{
    const ClipMotion motion = motion_of(scene);
    const auto best = first_clip_of_each_rank(scene, candidates, motion);
    std::optional<ClipPose> first;
    for (const auto clip : best) {
        if (clip == none) continue;
        const auto clip_pose = evaluate_clip(scene, clip);
        if (clip_pose.mostly_empty) continue;
        const bool is_representative =
            !has_bind_pose(scene) || clip_pose.static_pose_distance >= min_pose_change;
        if (is_representative) return clip_pose;
        if (!first) first = clip_pose;
    }
    if (first) return first;
    auto clip = best_ranked_clip(scene, candidates, unknown_name_rank,
                                 [&](const Clip& c) { return motion.moves(c); });
    if (clip == none)
        clip = best_ranked_clip(scene, candidates, 0,
                                [&](const Clip& c) { return motion.differs_from_static_pose(c); });
    if (clip == none) return {};
    const auto clip_pose = evaluate_clip(scene, clip);
    return clip_pose.mostly_empty ? std::nullopt : std::optional(clip_pose);
}

// The first walk, run and so on, then some clips with unknown names. Standing clips come last: they move
// little, or show a character standing up.
std::vector<std::uint32_t> clips_by_motion_preference(const Scene& scene, CandidateClips candidates)
{
    const ClipMotion motion = motion_of(scene);
    const auto first = first_clip_of_each_rank(scene, candidates, motion);
    std::vector<std::uint32_t> clips;
    for (const std::size_t rank : {2u, 3u, 4u, 0u, 1u})
        if (first[rank] != none) clips.push_back(first[rank]);
    std::size_t left = max_unranked_clips;
    for (std::uint32_t clip = 0; clip < count_of(scene, candidates) && left > 0; ++clip)
        if (clip_name_rank(scene.clips[clip].name) == unknown_name_rank && motion.moves(scene.clips[clip])) {
            clips.push_back(clip);
            --left;
        }
    return clips;
}

} // namespace

RepresentativePose select_representative_pose(const Scene& scene, std::uint32_t clip)
{
    return clip == none ? RepresentativePose{} : evaluate_clip(scene, clip).representative;
}

RepresentativePose select_representative_pose(const Scene& scene, CandidateClips candidates)
{
    const auto clip_pose = best_clip_pose(scene, candidates);
    return clip_pose ? clip_pose->representative : RepresentativePose{};
}

RepresentativePose select_representative_motion(const Scene& scene, CandidateClips candidates)
{
    const auto candidate = best_clip_pose(scene, candidates);
    if (!candidate) return {};
    if (candidate->mean_motion >= min_visible_motion) return candidate->representative;
    ClipPose best = *candidate;
    for (const auto clip : clips_by_motion_preference(scene, candidates)) {
        if (clip == candidate->representative.clip) continue;
        const auto clip_pose = evaluate_clip(scene, clip);
        if (clip_pose.mostly_empty) continue;
        if (clip_pose.mean_motion >= min_visible_motion) return clip_pose.representative;
        if (clip_pose.mean_motion > min_motion_ratio * best.mean_motion) best = clip_pose;
    }
    return best.representative;
}

std::uint32_t select_representative_clip(const Scene& scene, CandidateClips candidates)
{
    return select_representative_pose(scene, candidates).clip;
}

} // namespace vitrine::scene
