#include "loaders/dae/clips/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "loaders/dae/transforms/shear_decomposition.hpp"

namespace vitrine::dae {
namespace {

DoubleTrs matrix_key(const SamplerCurve& curve, std::size_t key, bool& exact)
{
    TransformValues values{};
    for (std::uint32_t i = 0; i < 16; ++i)
        values[i] = curve.value(key, i);
    return decompose(element_matrix(TransformKind::matrix, values), exact);
}

TransformValues to_values(const DoubleTrs& trs)
{
    const glm::dmat4 m = to_matrix(trs);
    TransformValues values{};
    for (glm::length_t row = 0; row < 4; ++row)
        for (glm::length_t column = 0; column < 4; ++column)
            values[4 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] = m[column][row];
    return values;
}

glm::dquat shortest(const glm::dquat& a, glm::dquat b, double t)
{
    if (glm::dot(a, b) < 0.0) b = -b;
    return glm::normalize(glm::slerp(a, b, t));
}

} // namespace

SegmentTrack::SegmentTrack(const TransformSegment& segment, const std::vector<TransformElement>& elements,
                           const Animations& animations, const ClipRange& clip)
    : segment_(segment), elements_(elements), animations_(animations), window_{clip.start, clip.end}
{
    only_steps_ = true;
    add_animated_elements(clip);
    linear_ = find_motion() == MotionKind::linear;
    find_ends();
    add_all_times();
    list_factors();
}

void SegmentTrack::add_animated_elements(const ClipRange& clip)
{
    for (const Factor& factor : segment_.factors) {
        if (factor.part > 0) continue;
        ChannelBindings channel_bindings(elements_[factor.element].channel_bindings, animations_, clip);
        if (channel_bindings.empty()) continue;
        for (const ChannelBinding& channel_binding : channel_bindings.channel_bindings())
            only_steps_ &= animations_.curves[channel_binding.curve].has_only({SamplerInterpolation::step});
        animated_elements_.push_back(
            {.element = factor.element, .channel_bindings = std::move(channel_bindings)});
    }
    complete_element_count_ = animated_elements_.size();
    // Later factors of an element may be in another segment.
    for (const Factor& factor : segment_.factors)
        if (factor.part > 0 && animated_index_of(factor.element) == no_animated_element) {
            ChannelBindings channel_bindings(elements_[factor.element].channel_bindings, animations_, clip);
            only_steps_ = false;
            if (!channel_bindings.empty())
                animated_elements_.push_back(
                    {.element = factor.element, .channel_bindings = std::move(channel_bindings)});
        }
}

// Determines whether the channels can extrapolate themselves; then they contain all keys instead of those
// inside the clip. Not for elements with shear: segments that share one need the same times.
void SegmentTrack::find_ends()
{
    std::vector<const SamplerCurve*> curves;
    bool shears = false;
    for (const AnimatedElement& animated_element : animated_elements_) {
        shears |= elements_[animated_element.element].shears;
        for (const SamplerCurve* curve : animated_element.channel_bindings.curves()) {
            curves.push_back(curve);
            has_extrapolation_ |= curve->has_extrapolation();
            only_steps_ &=
                curve->before != InfinityBehavior::gradient && curve->after != InfinityBehavior::gradient;
        }
    }
    if (!has_extrapolation_ || shears) return;
    ends_ = find_extrapolation(curves, find_motion());
    if (!ends_) return;
    window_ = ends_->keys;
    for (AnimatedElement& animated_element : animated_elements_)
        animated_element.channel_bindings.set_end(window_.end);
}

void SegmentTrack::add_all_times()
{
    for (AnimatedElement& animated_element : animated_elements_) {
        std::vector<double>& own =
            elements_[animated_element.element].shears ? animated_element.times : times_;
        for (const SamplerCurve* curve : animated_element.channel_bindings.curves())
            complete_ &= add_times(*curve, window_, own);
        if (!elements_[animated_element.element].shears) continue;
        sort_times(animated_element.times);
        times_.insert(times_.end(), animated_element.times.begin(), animated_element.times.end());
        follow_axes(animated_element);
    }
    sort_times(times_);
}

// Factors are in the order of their elements.
std::size_t SegmentTrack::animated_index_of(std::uint32_t element) const
{
    const auto parts_begin =
        animated_elements_.begin() + static_cast<std::ptrdiff_t>(complete_element_count_);
    for (const auto& [first, end] : {std::pair(animated_elements_.begin(), parts_begin),
                                     std::pair(parts_begin, animated_elements_.end())})
        if (const auto found = std::ranges::lower_bound(first, end, element, {}, &AnimatedElement::element);
            found != end && found->element == element)
            return static_cast<std::size_t>(found - animated_elements_.begin());
    return no_animated_element;
}

void SegmentTrack::list_factors()
{
    for (const Factor& factor : segment_.factors) {
        const TransformElement& element = elements_[factor.element];
        if (const std::size_t index = animated_index_of(factor.element); index != no_animated_element)
            factors_.push_back({.factor = factor, .animated_index = index});
        else
            factors_.push_back(
                {.factor = factor, .rest = factor_at(factor, element, {.values = element.values})});
    }
    if (factors_.size() > max_unmerged_factors) merge_static_factors();
    states_.resize(animated_elements_.size());
}

// Limits the factors; a hostile node has thousands.
void SegmentTrack::merge_static_factors()
{
    std::size_t last_index = 0;
    for (std::size_t p = 1; p < factors_.size(); ++p) {
        TrackFactor& last = factors_[last_index];
        if (last.animated_index == no_animated_element && factors_[p].animated_index == no_animated_element)
            last.rest = product(last.rest, factors_[p].rest);
        else
            factors_[++last_index] = factors_[p];
    }
    factors_.resize(last_index + 1);
}

// Segments that share the element use the same axes, because these depend on its own keys only.
void SegmentTrack::follow_axes(AnimatedElement& animated_element) const
{
    const TransformKind kind = elements_[animated_element.element].kind;
    glm::dquat axes(1.0, 0.0, 0.0, 0.0);
    animated_element.axes.reserve(animated_element.times.size());
    for (const double time : animated_element.times) {
        TransformValues values = elements_[animated_element.element].values;
        animated_element.channel_bindings.apply(time, JumpSide::after, values);
        axes = decompose_svd(glm::dmat3(element_matrix(kind, values)), axes).axes;
        animated_element.axes.push_back(axes);
    }
}

// If a single element is animated and no later element is transformed by it, offsets of its numbers are
// offsets in T, R and S: a translation or scale, an angle, a whole matrix. Linear segments stay linear.
MotionKind SegmentTrack::find_motion() const
{
    if (animated_elements_.size() != 1 ||
        animated_elements_[0].channel_bindings.channel_bindings().size() != 1)
        return MotionKind::any;
    const ChannelBinding& channel_binding = animated_elements_[0].channel_bindings.channel_bindings()[0];
    const SamplerCurve& curve = animations_.curves[channel_binding.curve];
    const bool lines = curve.has_only({SamplerInterpolation::linear, SamplerInterpolation::step});
    const MotionKind motion = lines ? MotionKind::linear : MotionKind::additive;
    const TransformElement& element = elements_[animated_elements_[0].element];
    if (element.kind == TransformKind::skew || element.kind == TransformKind::lookat) return MotionKind::any;
    if (element.kind == TransformKind::translate) return motion;
    if (element.kind == TransformKind::rotate && (channel_binding.first != 3 || channel_binding.count != 1))
        return MotionKind::any;
    if (element.kind == TransformKind::matrix && (channel_binding.count != 16 || !lines))
        return MotionKind::any;
    bool after_animated = false;
    for (const Factor& factor : segment_.factors) {
        const TransformKind kind = elements_[factor.element].kind;
        if (after_animated && kind != TransformKind::rotate && kind != TransformKind::scale)
            return MotionKind::any;
        after_animated |= factor.element == animated_elements_[0].element;
    }
    return motion;
}

// Whole matrices are interpolated by T, R and S, not number by number; a matrix with shear has no TRS.
bool SegmentTrack::blend_matrix(const AnimatedElement& animated_element, double time, JumpSide side,
                                TransformValues& values) const
{
    const std::vector<ChannelBinding>& channel_bindings =
        animated_element.channel_bindings.channel_bindings();
    if (elements_[animated_element.element].kind != TransformKind::matrix || channel_bindings.size() != 1 ||
        channel_bindings[0].count != 16)
        return false;
    const SamplerCurve& curve = animations_.curves[channel_bindings[0].curve];
    const MappedTime mapped_time = animated_element.channel_bindings.mapped_time(curve, time, side);
    if (mapped_time.offsets != 0.0 || mapped_time.beyond != 0.0) return false;
    const auto key = curve.segment(mapped_time.time, mapped_time.side);
    if (!key || curve.kinds[*key] != SamplerInterpolation::linear) return false;
    bool exact_a = true, exact_b = true;
    const DoubleTrs a = matrix_key(curve, *key, exact_a), b = matrix_key(curve, *key + 1, exact_b);
    if (!exact_a || !exact_b) return false;
    const double t = (mapped_time.time - curve.times[*key]) / (curve.times[*key + 1] - curve.times[*key]);
    values = to_values({glm::mix(a.translation, b.translation, t), shortest(a.rotation, b.rotation, t),
                        glm::mix(a.scale, b.scale, t)});
    return true;
}

TransformState SegmentTrack::state_at(const AnimatedElement& animated_element, double time,
                                      JumpSide side) const
{
    TransformState state{.values = elements_[animated_element.element].values};
    if (!blend_matrix(animated_element, time, side, state.values))
        animated_element.channel_bindings.apply(time, side, state.values);
    if (animated_element.axes.empty()) return state;
    const auto begun = side == JumpSide::after ? std::ranges::upper_bound(animated_element.times, time)
                                               : std::ranges::lower_bound(animated_element.times, time);
    const auto key = std::max<std::ptrdiff_t>(begun - animated_element.times.begin() - 1, 0);
    state.axes = animated_element.axes[static_cast<std::size_t>(key)];
    return state;
}

DoubleTrs SegmentTrack::at(double time, JumpSide side)
{
    for (std::size_t m = 0; m < animated_elements_.size(); ++m)
        states_[m] = state_at(animated_elements_[m], time, side);
    DoubleTrs trs;
    for (const TrackFactor& part : factors_)
        trs = product(
            trs, part.animated_index == no_animated_element
                     ? part.rest
                     : factor_at(part.factor, elements_[part.factor.element], states_[part.animated_index]));
    return trs;
}

DoubleTrs SegmentTrack::sample_outside(double time)
{
    for (AnimatedElement& animated_element : animated_elements_)
        animated_element.channel_bindings.set_end(std::numeric_limits<double>::infinity());
    return at(time, JumpSide::after);
}

double SegmentTrack::turning(double from, double to) const
{
    double degrees = 0.0;
    for (const AnimatedElement& animated_element : animated_elements_) {
        if (elements_[animated_element.element].kind != TransformKind::rotate) continue;
        double last = 0.0;
        for (int n = 0; n <= 4; ++n) {
            TransformValues values = elements_[animated_element.element].values;
            animated_element.channel_bindings.apply(from + (to - from) * n / 4,
                                                    n == 4 ? JumpSide::before : JumpSide::after, values);
            if (n > 0) degrees += std::abs(values[3] - last);
            last = values[3];
        }
    }
    return degrees;
}

} // namespace vitrine::dae
