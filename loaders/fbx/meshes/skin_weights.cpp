#include "loaders/fbx/meshes/skins.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

// A smaller remainder of a weight is a rounding error.
constexpr double min_remainder = 1e-5;

class Mixer {
public:
    Mixer(std::span<const ClusterWeights> clusters, std::size_t points, LinkMode mode)
        : clusters_(clusters), points_(points), mode_(mode), sums_(points, 0.0)
    {
        out_.influences.first.assign(points + 1, 0);
    }

    void count();
    void fill(std::uint16_t remainder_joint);
    std::uint64_t total() const { return total_; }
    std::uint64_t out_of_range_points() const { return out_of_range_points_; }
    std::uint64_t negatives() const { return negatives_; }
    bool piles_up() const { return mode_ == LinkMode::additive && piles_up_; }
    MixedWeights take() { return std::move(out_); }

private:
    bool counts(const ClusterWeights& cluster, std::size_t i) const
    {
        const float weight = cluster.weights[i];
        return static_cast<std::uint32_t>(cluster.points[i]) < points_ && weight > 0.0f &&
               std::isfinite(weight);
    }
    // Returns the weight with which a point stays on the mesh; 0 when the sum exceeds 1, as it cannot be
    // negative.
    double rest_of(std::size_t point) const
    {
        const bool keeps = mode_ == LinkMode::additive && sums_[point] > 0.0;
        return keeps && sums_[point] < 1.0 - min_remainder ? 1.0 - sums_[point] : 0.0;
    }

    std::span<const ClusterWeights> clusters_;
    std::size_t points_;
    LinkMode mode_;
    std::vector<double> sums_;
    std::uint64_t total_ = 0, out_of_range_points_ = 0, negatives_ = 0;
    bool piles_up_ = false; // several clusters affect one point
    MixedWeights out_;
};

void Mixer::count()
{
    auto& first = out_.influences.first;
    for (const ClusterWeights& cluster : clusters_) {
        for (std::size_t i = 0; i < cluster.points.size(); ++i) {
            out_of_range_points_ += static_cast<std::uint32_t>(cluster.points[i]) >= points_ ? 1 : 0;
            negatives_ += cluster.weights[i] < 0.0f ? 1 : 0;
            if (!counts(cluster, i)) continue;
            const auto point = static_cast<std::size_t>(cluster.points[i]);
            piles_up_ = piles_up_ || first[point + 1] > 0;
            ++first[point + 1];
            sums_[point] += double{cluster.weights[i]};
            ++total_;
        }
    }
    for (std::size_t point = 0; point < points_; ++point) {
        if (rest_of(point) == 0.0) continue;
        ++first[point + 1];
        ++total_;
    }
}

// Precondition: total() is within the limits.
void Mixer::fill(std::uint16_t remainder_joint)
{
    scene::Influences& out = out_.influences;
    for (std::size_t i = 1; i < out.first.size(); ++i)
        out.first[i] += out.first[i - 1];
    out.joints.resize(total_);
    out.weights.resize(total_);
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (const ClusterWeights& cluster : clusters_) {
        for (std::size_t i = 0; i < cluster.points.size(); ++i) {
            if (!counts(cluster, i)) continue;
            const auto point = static_cast<std::size_t>(cluster.points[i]);
            const double total_weight = rest_of(point) > 0.0 ? 1.0 : sums_[point];
            out.joints[next[point]] = cluster.joint;
            out.weights[next[point]++] = static_cast<float>(double{cluster.weights[i]} / total_weight);
        }
    }
    for (std::size_t point = 0; point < points_; ++point) {
        if (rest_of(point) == 0.0) continue;
        out.joints[next[point]] = remainder_joint;
        out.weights[next[point]] = static_cast<float>(rest_of(point));
        out_.has_remainder = true;
    }
}

} // namespace

LoadResult<MixedWeights> mix_weights(const LoadContext& context, std::span<const ClusterWeights> clusters,
                                     std::size_t points, LinkMode mode, std::uint16_t remainder_joint,
                                     std::string_view where)
{
    Mixer mixer(clusters, points, mode);
    mixer.count();
    if (mixer.out_of_range_points() > 0)
        context.warnings.add(
            "index_out_of_range",
            fmt::format("{} weights have no vertex; they are ignored", mixer.out_of_range_points()),
            std::string(where));
    if (mixer.negatives() > 0)
        context.warnings.add("fbx_negative_weight",
                             fmt::format("{} weights are negative; they are ignored", mixer.negatives()),
                             std::string(where));
    if (mixer.piles_up())
        context.warnings.add("unsupported_link_mode",
                             "points have several additive clusters; their transforms are blended instead of "
                             "applied in sequence",
                             std::string(where));
    if (mixer.total() > context.limits.influences || mixer.total() >= scene::none)
        return io::limit_exceeded_error({}, fmt::format("{} influences", mixer.total()), "influences",
                                        context.limits.influences);
    mixer.fill(remainder_joint);
    return mixer.take();
}

scene::Influences spread(const scene::Influences& by_point, std::span<const std::uint32_t> control_points)
{
    scene::Influences out;
    out.first.reserve(control_points.size() + 1);
    out.first.push_back(0);
    std::size_t total = 0;
    for (const std::uint32_t point : control_points)
        total += by_point.first[point + 1] - by_point.first[point];
    out.joints.reserve(total);
    out.weights.reserve(total);
    for (const std::uint32_t point : control_points) {
        const auto begin = static_cast<std::ptrdiff_t>(by_point.first[point]),
                   end = static_cast<std::ptrdiff_t>(by_point.first[point + 1]);
        out.joints.insert(out.joints.end(), by_point.joints.begin() + begin, by_point.joints.begin() + end);
        out.weights.insert(out.weights.end(), by_point.weights.begin() + begin,
                           by_point.weights.begin() + end);
        out.first.push_back(static_cast<std::uint32_t>(out.joints.size()));
        if (!by_point.dual_quaternion_weights.empty())
            out.dual_quaternion_weights.push_back(by_point.dual_quaternion_weights[point]);
    }
    return out;
}

} // namespace vitrine::fbx
