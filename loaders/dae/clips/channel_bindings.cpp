#include <algorithm>
#include <iterator>
#include <utility>

#include "loaders/dae/clips/tracks.hpp"

namespace vitrine::dae {

ChannelBindings::ChannelBindings(const std::vector<ChannelBinding>& channel_bindings,
                                 const Animations& animations, const ClipRange& clip)
    : animations_(&animations), end_(clip.end)
{
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t m = 0; m < channel_bindings.size(); ++m)
        if (clip.plays[channel_bindings[m].curve])
            order.emplace_back(animations.curves[channel_bindings[m].curve].first(), m);
    std::ranges::sort(order);
    for (const auto& [begins, m] : order)
        channel_bindings_.push_back(channel_bindings[m]);
    if (channel_bindings_.size() > 1) list_component_bindings();
}

void ChannelBindings::list_component_bindings()
{
    for (std::uint32_t m = 0; m < channel_bindings_.size(); ++m) {
        const ChannelBinding& channel_binding = channel_bindings_[m];
        const SamplerCurve& curve = animations_->curves[channel_binding.curve];
        for (std::uint32_t n = 0;
             n < channel_binding.count && channel_binding.first_dimension + n < curve.dimensions; ++n)
            component_bindings_.push_back(
                {.number = channel_binding.first + n, .channel_binding = m, .begins = curve.first()});
    }
    std::ranges::sort(component_bindings_, {},
                      [](const ComponentBinding& c) { return std::pair(c.number, c.channel_binding); });
}

std::vector<const SamplerCurve*> ChannelBindings::curves() const
{
    std::vector<const SamplerCurve*> curves;
    for (const ChannelBinding& channel_binding : channel_bindings_)
        curves.push_back(&animations_->curves[channel_binding.curve]);
    return curves;
}

const ChannelBindings::ComponentBinding&
ChannelBindings::component_binding_at(std::span<const ComponentBinding> of_number, double time,
                                      JumpSide side) const
{
    const auto end = side == JumpSide::after
                         ? std::ranges::upper_bound(of_number, time, {}, &ComponentBinding::begins)
                         : std::ranges::lower_bound(of_number, time, {}, &ComponentBinding::begins);
    return end == of_number.begin() ? of_number.front() : *std::prev(end);
}

void ChannelBindings::apply(double time, JumpSide side, std::span<double> numbers) const
{
    if (channel_bindings_.size() == 1) return move(channel_bindings_[0], time, side, numbers);
    MappedTime at;
    std::uint32_t placed = scene::none; // the curve at that position
    for (auto first = component_bindings_.begin();
         first != component_bindings_.end() && first->number < numbers.size();) {
        auto end = std::next(first);
        if (end != component_bindings_.end() && end->number == first->number)
            end = std::ranges::upper_bound(end, component_bindings_.end(), first->number, {},
                                           &ComponentBinding::number);
        const ComponentBinding& binding =
            end - first == 1 ? *first : component_binding_at({first, end}, time, side);
        const ChannelBinding& channel_binding = channel_bindings_[binding.channel_binding];
        const SamplerCurve& curve = animations_->curves[channel_binding.curve];
        if (placed != binding.channel_binding) at = mapped_time(curve, time, side);
        placed = binding.channel_binding;
        numbers[binding.number] =
            channel_binding.factor *
            evaluate(curve, at, channel_binding.first_dimension + binding.number - channel_binding.first);
        first = end;
    }
}

void ChannelBindings::move(const ChannelBinding& channel_binding, double time, JumpSide side,
                           std::span<double> numbers) const
{
    const SamplerCurve& curve = animations_->curves[channel_binding.curve];
    const MappedTime at = mapped_time(curve, time, side);
    for (std::uint32_t n = 0; n < channel_binding.count; ++n) {
        const std::uint32_t number = channel_binding.first + n,
                            dimension = channel_binding.first_dimension + n;
        if (number >= numbers.size() || dimension >= curve.dimensions) break;
        numbers[number] = channel_binding.factor * evaluate(curve, at, dimension);
    }
}

} // namespace vitrine::dae
