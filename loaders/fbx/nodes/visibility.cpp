#include "loaders/fbx/nodes/visibility.hpp"

#include <algorithm>

#include "loaders/base/sort_unique.hpp"

namespace vitrine::fbx {
namespace {

// Limits toggles; a hostile chain of models would otherwise multiply its keys by its length.
constexpr std::size_t max_toggles = 10'000;

std::vector<double> key_times(const AnimatedProperty& property)
{
    std::vector<double> times;
    for (const Curve* curve : property.curves())
        for (const CurveKey& key : curve->keys)
            times.push_back(key.time);
    sort_unique(times);
    return times;
}

} // namespace

double static_visibility(const Object& model)
{
    if (model.properties.has("Visibility")) return model.properties.real("Visibility", 1.0);
    for (const Element channel : model.element)
        if (channel.name() == "Channel" && channel[0u].text() == "Visibility")
            return channel.real("Default", 1.0);
    return 1.0;
}

// Between two keys the midpoint decides: a curve that falls to 0 shows the model until it reaches 0.
LoadResult<Toggles> read_toggles(const Document& document, const AnimationStacks& animation,
                                 const AnimationStack& stack, std::uint32_t model)
{
    const double static_value = static_visibility(document.object(model));
    if (stack.find(model, "Visibility").empty()) return Toggles{static_value > 0.0, {}};
    const auto property =
        animation.property(stack, model, "Visibility", PropertyKind::plain, glm::dvec3(static_value));
    if (!property) return std::unexpected(property.error());
    const auto is_shown = [&](double time, TimeSide side) {
        return property->sample(time, side).value.x > 0.0;
    };
    const std::vector<double> times = key_times(*property);
    if (times.empty()) return Toggles{is_shown(0.0, TimeSide::after), {}};
    Toggles toggles{is_shown(times.front(), TimeSide::before), {}};
    bool shown = toggles.shown_at_first;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double midpoint = i + 1 < times.size() ? 0.5 * (times[i] + times[i + 1]) : times[i];
        if (is_shown(midpoint, TimeSide::after) == shown) continue;
        shown = !shown;
        toggles.times.push_back(times[i]);
    }
    return toggles;
}

Toggles intersect(const Toggles& a, const Toggles& b)
{
    Toggles out{a.shown_at_first && b.shown_at_first, {}};
    bool a_shown = a.shown_at_first, b_shown = b.shown_at_first, shown = out.shown_at_first;
    for (std::size_t i = 0, k = 0; i < a.times.size() || k < b.times.size();) {
        const bool a_next = k == b.times.size() || (i < a.times.size() && a.times[i] <= b.times[k]);
        const bool b_next = i == a.times.size() || (k < b.times.size() && b.times[k] <= a.times[i]);
        const double time = a_next ? a.times[i] : b.times[k];
        if (a_next) {
            a_shown = !a_shown;
            ++i;
        }
        if (b_next) {
            b_shown = !b_shown;
            ++k;
        }
        if ((a_shown && b_shown) == shown) continue;
        shown = !shown;
        out.times.push_back(time);
    }
    return out;
}

LoadResult<const Toggles*> VisibilitySource::find_or_build(std::uint32_t model)
{
    if (const auto known = by_model_.find(model); known != by_model_.end()) return &known->second;
    const VisibilityLink& link = links_[model];
    if (!link.moves && link.above != no_object) return find_or_build(link.above);
    auto own = read_toggles(document_, animation_, stack_, model);
    if (!own) return std::unexpected(own.error());
    if (link.above != no_object) {
        const auto above = find_or_build(link.above);
        if (!above || *above == nullptr) return above;
        own = intersect(*own, **above);
    }
    if (own->times.size() > max_toggles) return nullptr;
    return &by_model_.emplace(model, *std::move(own)).first->second;
}

} // namespace vitrine::fbx
