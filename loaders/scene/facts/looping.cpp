// Whether a clip loops, and the part of it that loops best.
#include <algorithm>
#include <cmath>
#include <limits>

#include "loaders/scene/facts/motion_facts.hpp"

namespace vitrine::scene {
namespace {

constexpr double closed_seam = 0.002;     // of the size: the poses are equal
constexpr double open_seam = 1.25;        // of a step: the end is one step before the start
constexpr std::size_t min_open_steps = 4; // in fewer steps every motion is within one
constexpr double max_seam = 0.01;         // of the size, or `open_seam`
constexpr double min_share = 0.2;         // of the clip
constexpr std::size_t max_compared = 160; // frames, in a first search
constexpr std::size_t max_features = 24;  // joints, and tips
constexpr double unlimited = std::numeric_limits<double>::infinity();

// Positions of some joints and tips in each frame, without the root's way over the ground and its turn.
class Features {
public:
    explicit Features(const SampledMotion& motion) : frames_(motion.frames())
    {
        points_.reserve(frames_ * 2 * max_features);
        for (std::size_t i = 0; i < frames_; ++i) {
            const glm::dvec3 root(motion.root_at(i).x, 0.0, motion.root_at(i).z);
            const double sine = std::sin(-motion.turns[i]), cosine = std::cos(-motion.turns[i]);
            for (const auto& all : {motion.frame(i), motion.tips_of(i)}) {
                const std::size_t stride = all.size() / max_features + 1;
                for (std::size_t j = 0; j < all.size(); j += stride) {
                    const glm::dvec3 p = glm::dvec3(all[j]) - root;
                    points_.emplace_back(cosine * p.x + sine * p.z, p.y, cosine * p.z - sine * p.x);
                }
            }
        }
        count_ = points_.size() / frames_;
    }

    std::size_t frames() const { return frames_; }
    // The farthest distance of a joint between two frames; above `limit`, any value above it.
    double distance(std::size_t a, std::size_t b, double limit = unlimited) const
    {
        double farthest = 0.0;
        for (std::size_t i = 0; i < count_ && farthest <= limit * limit; ++i) {
            const auto between = points_[a * count_ + i] - points_[b * count_ + i];
            farthest = std::max(farthest, glm::dot(between, between));
        }
        return std::sqrt(farthest);
    }
    // How much the steps after two frames differ; above `limit`, any value above it.
    double step_difference(std::size_t a, std::size_t b, double limit) const
    {
        if (std::max(a, b) + 1 >= frames_) return 0.0;
        double farthest = 0.0;
        for (std::size_t i = 0; i < count_ && farthest <= limit * limit; ++i) {
            const auto step_a = points_[(a + 1) * count_ + i] - points_[a * count_ + i];
            const auto step_b = points_[(b + 1) * count_ + i] - points_[b * count_ + i];
            farthest = std::max(farthest, glm::dot(step_a - step_b, step_a - step_b));
        }
        return std::sqrt(farthest);
    }

    // How much the step before frame `a` and the one after frame `b` differ.
    double step_difference_over(std::size_t a, std::size_t b) const
    {
        double farthest = 0.0;
        for (std::size_t i = 0; i < count_; ++i) {
            const auto step_a = points_[a * count_ + i] - points_[(a - 1) * count_ + i];
            const auto step_b = points_[(b + 1) * count_ + i] - points_[b * count_ + i];
            farthest = std::max(farthest, glm::dot(step_a - step_b, step_a - step_b));
        }
        return std::sqrt(farthest);
    }

private:
    std::size_t frames_, count_ = 0;
    std::vector<glm::dvec3> points_;
};

struct LoopCandidate {
    std::size_t from = 0, to = 0;
    double cost = 0.0;
};

// Among candidates whose cost differs by less than `tolerance`, the longest is better.
bool is_better(const LoopCandidate& a, const LoopCandidate& b, double tolerance)
{
    if (std::abs(a.cost - b.cost) > tolerance) return a.cost < b.cost;
    return a.to - a.from > b.to - b.from;
}

class LoopSearch {
public:
    LoopSearch(const Features& features, double size)
        : features_(features), tolerance_(1e-4 * size), last_(features.frames() - 1),
          shortest_(
              std::max<std::size_t>(3, static_cast<std::size_t>(min_share * static_cast<double>(last_))))
    {
    }

    std::optional<LoopCandidate> find() const
    {
        const std::size_t stride = last_ / max_compared + 1;
        std::optional<LoopCandidate> best;
        for (std::size_t from = 0; from < last_; from += stride)
            for (std::size_t to = from + shortest_; to <= last_; to += stride)
                consider(from, to, best);
        if (!best || stride == 1) return best;
        const auto [from, to, cost] = *best;
        for (std::size_t i = from - std::min(from, stride); i <= std::min(from + stride, last_); ++i)
            for (std::size_t j = to - std::min(to, stride); j <= std::min(to + stride, last_); ++j)
                if (j >= i + shortest_) consider(i, j, best);
        return best;
    }

private:
    void consider(std::size_t from, std::size_t to, std::optional<LoopCandidate>& best) const
    {
        const double limit = best ? best->cost + tolerance_ : unlimited; // is_better() allows no more
        const double distance = features_.distance(from, to, limit);
        if (distance > limit) return;
        const LoopCandidate candidate{from, to,
                                      distance + features_.step_difference(from, to, limit - distance)};
        if (!best || is_better(candidate, *best, tolerance_)) best = candidate;
    }

    const Features& features_;
    double tolerance_;
    std::size_t last_, shortest_;
};

} // namespace

Looping compute_looping(const SampledMotion& motion)
{
    Looping looping;
    if (motion.frames() < 2) return looping;
    const Features features(motion);
    const std::size_t last = features.frames() - 1;
    const double whole = features.distance(0, last);
    const double step = std::max(features.distance(0, 1), features.distance(last - 1, last));
    looping.end_seam = whole;
    if (motion.step > 0.0) looping.seam_speed = features.step_difference_over(last, 0) / motion.step;
    const bool is_open = last >= min_open_steps && whole <= open_seam * step;
    if (whole <= closed_seam * motion.size || is_open) {
        looping.loops = true;
        looping.range = TimeSpan{0.0, motion.step * static_cast<double>(last)};
        looping.seam = whole;
        return looping;
    }
    const auto best = LoopSearch(features, motion.size).find();
    if (!best) return looping;
    looping.seam = features.distance(best->from, best->to);
    const double last_step = features.distance(best->to - 1, best->to);
    if (looping.seam <= std::max(max_seam * motion.size, open_seam * last_step))
        looping.range = TimeSpan{motion.step * static_cast<double>(best->from),
                                 motion.step * static_cast<double>(best->to)};
    return looping;
}

} // namespace vitrine::scene
