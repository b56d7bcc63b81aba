#include "loaders/scene/preview/telling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/clip_motion.hpp"
#include "loaders/scene/preview/fullness.hpp"
#include "loaders/scene/preview/telling_rank.hpp"
#include "loaders/scene/preview/thin.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::scene {
namespace {

constexpr double third = 0.35;                    // of the clip's duration
constexpr std::size_t elements = 400;             // that are looked at
constexpr std::size_t most_moments = 16;          // of a clip
constexpr std::size_t node_evaluations = 200'000; // for all of them
constexpr float little = 0.05f;                   // of its size a bind pose and another may differ
constexpr float as_far = 0.97f;                   // of the farthest is as far
constexpr float outlier = 1.6f;                   // times the median distance from the clip's mean
constexpr float as_full = 0.6f;                   // of the fullest moment is full enough
constexpr float emptied = 0.2f;                   // of the static pose: a clip that has no more shows nothing
constexpr float lively = 0.04f;                   // of its size, a mean over the clip: seen in a thumbnail
constexpr float livelier = 2.0f;                  // times as much as a clip that is hardly seen to move
constexpr std::size_t unnamed = 3;                // clips that are looked at whose names say nothing

using Cloud = std::vector<glm::vec3>;

// Around their middle: a walk is no other pose for the way that it has gone.
void centre(Cloud& cloud)
{
    glm::dvec3 sum(0.0);
    for (const auto& point : cloud)
        sum += point;
    const glm::vec3 middle(sum / static_cast<double>(std::max<std::size_t>(cloud.size(), 1)));
    for (auto& point : cloud)
        point -= middle;
}

// Mean over the points; very far where that is no number.
float distance(const Cloud& a, const Cloud& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += glm::length(a[i] - b[i]);
    const auto mean = static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(a.size(), 1)));
    return std::isfinite(mean) ? mean : std::numeric_limits<float>::max();
}

Cloud mean_of(const std::vector<Cloud>& clouds)
{
    Cloud mean(clouds.front().size(), glm::vec3(0.0f));
    for (const auto& cloud : clouds)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += cloud[i] / static_cast<float>(clouds.size());
    return mean;
}

// Moments of a clip by how they differ; those at which the model has mostly gone are left out.
struct Distances {
    std::vector<double> times;
    std::vector<float> from_rest, from_mean;
    float size = 0.0f;    // of the static pose: mean distance from its middle
    bool empties = false; // the clip shows little of the static pose at any moment
};

std::vector<double> moments_of(const Scene& scene, std::uint32_t clip)
{
    const auto count = std::clamp<std::size_t>(
        node_evaluations / std::max<std::size_t>(scene.nodes.size(), 1), 4, most_moments);
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i)
        times.push_back(scene.clips[clip].duration * (static_cast<double>(i) + 0.5) /
                        static_cast<double>(count));
    return times;
}

Distances measure(const Scene& scene, std::uint32_t clip)
{
    const Scene thin = thinned(scene, elements);
    Skinner skinner(thin);
    Fullness fullness(thin);
    Pose pose;
    rest_pose(scene, pose);
    Cloud rest = skinner.points_at(pose);
    fullness.add(rest);
    centre(rest);
    Distances out;
    out.size = distance(rest, Cloud(rest.size(), glm::vec3(0.0f)));
    std::vector<Cloud> clouds;
    const auto times = moments_of(scene, clip);
    for (const double time : times) {
        sample_pose(scene, clip, time, pose);
        fullness.add(clouds.emplace_back(skinner.points_at(pose)));
        centre(clouds.back());
    }
    const auto full = fullness.values(); // the static pose's first
    const float fullest = *std::max_element(full.begin() + 1, full.end());
    out.empties = fullest < emptied * full[0];
    std::vector<Cloud> kept;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (full[i + 1] < as_full * fullest) continue;
        out.times.push_back(times[i]);
        out.from_rest.push_back(distance(clouds[i], rest));
        kept.push_back(std::move(clouds[i]));
    }
    const Cloud mean = mean_of(kept);
    for (const auto& cloud : kept)
        out.from_mean.push_back(distance(cloud, mean));
    return out;
}

float median(std::vector<float> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// A moment of a clip, and how far it is from the static pose to the size of that.
struct Look {
    TellingMoment moment;
    float differs = 0.0f;
    bool empties = false; // see Distances
    float moves = 0.0f;   // mean distance from the clip's mean, to the size of the static pose
};

Look look_at(const Scene& scene, std::uint32_t clip)
{
    const double duration = scene.clips[clip].duration;
    const auto [times, from_rest, from_mean, size, empties] = measure(scene, clip);
    const float usual = outlier * median(from_mean);
    float farthest_usual = 0.0f;
    for (std::size_t i = 0; i < times.size(); ++i)
        if (from_mean[i] <= usual) farthest_usual = std::max(farthest_usual, from_rest[i]);
    double chosen = third * duration, best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double off = std::abs(times[i] - third * duration);
        if (from_mean[i] > usual || !(from_rest[i] >= as_far * farthest_usual) || off >= best) continue;
        best = off;
        chosen = times[i];
    }
    if (!(size > 0.0f)) return {{clip, chosen}, 0.0f, empties, 0.0f};
    float sum = 0.0f;
    for (const float far : from_mean)
        sum += far;
    return {
        {clip, chosen}, farthest_usual / size, empties, sum / static_cast<float>(from_mean.size()) / size};
}

// Of whole frames (MD2, MD3) the first is a pose like any other.
bool has_bind_pose(const Scene& scene)
{
    return std::ranges::none_of(scene.meshes, [](const Mesh& mesh) { return mesh.frames.count > 0; });
}

ClipMotion motion_of(const Scene& scene)
{
    return ClipMotion(scene, glm::length(rest_bounds(thinned(scene, elements)).size()));
}

// The first of the best rank from `least` on, of those that `counts` says.
std::uint32_t first_of(const Scene& scene, int least, const auto& counts)
{
    std::uint32_t found = none;
    int best = std::numeric_limits<int>::max();
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        const int rank = telling_rank(scene.clips[clip].name);
        if (rank < least || rank >= best || !counts(scene.clips[clip])) continue;
        found = clip;
        best = rank;
    }
    return found;
}

// Of those that say something good; none where there is no such clip that moves.
std::array<std::uint32_t, nothing_said> first_of_each_rank(const Scene& scene, const ClipMotion& motion)
{
    std::array<std::uint32_t, nothing_said> first;
    first.fill(none);
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        const auto rank = static_cast<std::size_t>(telling_rank(scene.clips[clip].name));
        if (rank < first.size() && first[rank] == none && motion.moves(scene.clips[clip])) first[rank] = clip;
    }
    return first;
}

// Of the clip that telling_moment() chooses; empty: the static pose.
std::optional<Look> telling_look(const Scene& scene)
{
    const ClipMotion motion = motion_of(scene);
    const auto best = first_of_each_rank(scene, motion);
    std::optional<Look> first;
    for (const auto clip : best) {
        if (clip == none) continue;
        const auto look = look_at(scene, clip);
        if (look.empties) continue;
        const bool tells = !has_bind_pose(scene) || look.differs >= little;
        if (tells) return look;
        if (!first) first = look;
    }
    if (first) return first;
    auto clip = first_of(scene, nothing_said, [&](const Clip& c) { return motion.moves(c); });
    if (clip == none) clip = first_of(scene, 0, [&](const Clip& c) { return motion.holds_a_pose(c); });
    if (clip == none) return {};
    const auto look = look_at(scene, clip);
    return look.empties ? std::nullopt : std::optional(look);
}

// The first walk, run and so on, then a few whose names say nothing. What stands comes late: it would move
// little, or is somebody standing up.
std::vector<std::uint32_t> clips_to_watch(const Scene& scene)
{
    const ClipMotion motion = motion_of(scene);
    const auto first = first_of_each_rank(scene, motion);
    std::vector<std::uint32_t> clips;
    for (const std::size_t rank : {2u, 3u, 4u, 0u, 1u})
        if (first[rank] != none) clips.push_back(first[rank]);
    std::size_t left = unnamed;
    for (std::uint32_t clip = 0; clip < scene.clips.size() && left > 0; ++clip)
        if (telling_rank(scene.clips[clip].name) == nothing_said && motion.moves(scene.clips[clip])) {
            clips.push_back(clip);
            --left;
        }
    return clips;
}

} // namespace

TellingMoment telling_moment(const Scene& scene, std::uint32_t clip)
{
    return clip == none ? TellingMoment{} : look_at(scene, clip).moment;
}

TellingMoment telling_moment(const Scene& scene)
{
    const auto look = telling_look(scene);
    return look ? look->moment : TellingMoment{};
}

TellingMoment moving_moment(const Scene& scene)
{
    const auto still = telling_look(scene);
    if (!still) return {};
    if (still->moves >= lively) return still->moment;
    Look best = *still;
    for (const auto clip : clips_to_watch(scene)) {
        if (clip == still->moment.clip) continue;
        const auto look = look_at(scene, clip);
        if (look.empties) continue;
        if (look.moves >= lively) return look.moment;
        if (look.moves > livelier * best.moves) best = look;
    }
    return best.moment;
}

std::uint32_t telling_clip(const Scene& scene)
{
    return telling_moment(scene).clip;
}

} // namespace vitrine::scene
