#include "loaders/scene/geometry/ear_clipper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace vitrine::scene {
namespace {

std::size_t steps_for(std::size_t corners)
{
    const auto n = static_cast<double>(corners);
    return static_cast<std::size_t>(std::min(n * (256.0 + 8.0 * std::sqrt(n)), std::max(n * 256.0, 1e9)));
}

std::vector<std::uint32_t> concave_corners(const PolygonRing& ring)
{
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        if (ring.is_concave(i)) out.push_back(i);
    }
    return out;
}

// Three consecutive corners and their positions.
struct Ear {
    std::array<std::uint32_t, 3> corners{};
    Triangle2 places{};
};

// The corners to examine, in rounds: corners that become due during a round belong to the next one. Skipping
// the neighbors of removed corners gives better-shaped triangles than cutting in order.
class Candidates {
public:
    explicit Candidates(std::size_t corners) : due_(corners, 0)
    {
        now_.reserve(corners);
        later_.reserve(corners);
    }

    void add(std::uint32_t corner)
    {
        if (due_[corner] == round_ + 1) return;
        due_[corner] = round_ + 1;
        later_.push_back(corner);
    }

    std::optional<std::uint32_t> next()
    {
        for (;;) {
            for (; at_ < now_.size(); ++at_)
                if (due_[now_[at_]] == round_) return now_[at_++];
            if (later_.empty()) return std::nullopt;
            now_.swap(later_);
            later_.clear();
            at_ = 0;
            ++round_;
        }
    }

private:
    std::vector<std::uint32_t> due_; // by corner: its round
    std::vector<std::uint32_t> now_, later_;
    std::size_t at_ = 0;
    std::uint32_t round_ = 0;
};

class EarClipper {
public:
    EarClipper(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& out)
        : ring_(std::move(points)), tree_(ring_.points(), concave_corners(ring_)), candidates_(ring_.size()),
          out_(out), steps_left_(steps_for(ring_.size()))
    {
    }

    bool run()
    {
        for (std::uint32_t i = 0, n = ring_.size(); i < n; ++i)
            if (ring_.contains(i)) cut_spikes(i);
        check_all_corners();
        while (ring_.size() > 3 && steps_left_ > 0) {
            if (const auto candidate = candidates_.next()) {
                if (is_ear(*candidate)) cut_and_spikes(*candidate);
            } else if (is_cut_) {
                check_all_corners();
            } else {
                cut_and_spikes(min_wrong());
            }
        }
        const bool complete = ring_.size() <= 3;
        while (ring_.size() > 3)
            cut(at_);
        emit(at_);
        return complete;
    }

private:
    void spend(std::size_t steps) { steps_left_ -= std::min(steps_left_, steps); }

    void check_all_corners()
    {
        spend(ring_.size());
        is_cut_ = false;
        for (std::uint32_t n = 0, i = at_; n < ring_.size(); ++n, i = ring_.next(i))
            candidates_.add(i);
    }

    // The outline returns along the same edge. Removing the corner loses no area, and an outline that touches
    // itself there becomes simple.
    bool is_spike(std::uint32_t i) const
    {
        const glm::dvec2& p = ring_.points()[i];
        return ring_.area(i) == 0.0 &&
               glm::dot(ring_.points()[ring_.previous(i)] - p, ring_.points()[ring_.next(i)] - p) >= 0.0;
    }

    // Where outlines cross or overlap along edges, there may be no valid ear.
    std::uint32_t min_wrong()
    {
        spend(ring_.size());
        std::optional<std::uint32_t> convex;
        for (std::uint32_t n = 0, i = at_; n < ring_.size(); ++n, i = ring_.next(i)) {
            const double area = ring_.area(i);
            if (area == 0.0) return i;
            if (area > 0.0 && !convex) convex = i;
        }
        return convex.value_or(at_);
    }

    // Convex, without a concave corner inside or on its edges, and with angles inside the polygon where the
    // outline touches itself.
    bool is_ear(std::uint32_t i)
    {
        spend(1);
        if (!(ring_.area(i) > 0.0)) return false;
        Ear ear{.corners = {ring_.previous(i), i, ring_.next(i)}};
        std::ranges::transform(ear.corners, ear.places.begin(),
                               [&](std::uint32_t c) { return ring_.points()[c]; });
        if (holds_corner(ear)) return false;
        return steps_left_ > 0 && (!meets_itself_ || has_inner_angles(ear));
    }

    bool holds_corner(const Ear& ear)
    {
        const TriangleQuery query(ear.places);
        nodes_.clear();
        if (tree_.root() != CornerTree::none) nodes_.push_back(tree_.root());
        while (!nodes_.empty() && steps_left_ > 0) {
            const std::uint32_t node = nodes_.back();
            nodes_.pop_back();
            spend(1);
            if (!tree_.may_touch(node, query)) continue;
            if (!tree_.is_leaf(node)) {
                const auto [first, second] = tree_.children(node);
                nodes_.insert(nodes_.end(), {second, first});
            } else if (holds_corner_in(node, ear)) {
                return true;
            }
        }
        return false;
    }

    bool holds_corner_in(std::uint32_t leaf, const Ear& ear)
    {
        for (std::uint32_t k = 0; k < tree_.size(leaf) && steps_left_ > 0;) {
            const std::uint32_t corner = tree_.corner(leaf, k);
            if (!ring_.is_concave(corner)) { // removed, or convex now (and convex corners stay convex)
                tree_.drop(leaf, k);
                continue;
            }
            spend(1);
            ++k;
            if (std::ranges::find(ear.corners, corner) != ear.corners.end()) continue;
            const glm::dvec2& p = ring_.points()[corner];
            const auto& [a, b, c] = ear.places;
            if (p == a || p == b || p == c)
                meets_itself_ = true;
            else if (doubled_signed_area(a, b, p) >= 0.0 && doubled_signed_area(b, c, p) >= 0.0 &&
                     doubled_signed_area(c, a, p) >= 0.0)
                return true;
        }
        return false;
    }

    bool has_inner_angles(const Ear& ear)
    {
        if (!coincident_) coincident_.emplace(ring_.points());
        for (std::size_t k = 0; k < 3; ++k) {
            const glm::dvec2 &p = ear.places[k], next = ear.places[(k + 1) % 3],
                             last = ear.places[(k + 2) % 3];
            const auto corners = coincident_->at(ear.corners[k]);
            spend(corners.size());
            if (!is_inside(ring_, corners, next - p, last - p)) return false;
        }
        return true;
    }

    void emit(std::uint32_t i) { out_.insert(out_.end(), {ring_.previous(i), i, ring_.next(i)}); }

    void cut(std::uint32_t i)
    {
        emit(i);
        is_cut_ = true;
        const std::uint32_t before = ring_.previous(i);
        at_ = ring_.remove(i);
        candidates_.add(before);
        candidates_.add(at_);
    }

    // Done first: for an outline that returns along itself the interior is ambiguous.
    void cut_spikes(std::uint32_t i)
    {
        while (ring_.size() > 3 && is_spike(i)) {
            cut(i);
            i = is_spike(at_) ? at_ : ring_.previous(at_);
        }
    }

    void cut_and_spikes(std::uint32_t i)
    {
        cut(i);
        const std::uint32_t before = ring_.previous(at_);
        cut_spikes(at_);
        if (ring_.contains(before)) cut_spikes(before);
    }

    PolygonRing ring_;
    CornerTree tree_;
    Candidates candidates_;
    std::optional<CoincidentCorners> coincident_;
    std::vector<std::uint32_t>& out_;
    std::vector<std::uint32_t> nodes_; // of the tree, to visit; kept for its memory
    std::size_t steps_left_;
    std::uint32_t at_ = 0; // a corner of the ring
    bool is_cut_ = false;  // whether a corner was cut since all were examined
    bool meets_itself_ = false;
};

} // namespace

bool clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners)
{
    return EarClipper(std::move(points), triangle_corners).run();
}

} // namespace vitrine::scene
