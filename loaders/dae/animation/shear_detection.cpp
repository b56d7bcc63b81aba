#include "loaders/dae/animation/animations.hpp"

#include <algorithm>
#include <vector>

#include "loaders/dae/transforms/shear_decomposition.hpp"
#include "loaders/dae/transforms/shear_element.hpp"

namespace vitrine::dae {
namespace {

// Limits for detecting shear that appears over time; with more curves or times shear is assumed.
constexpr std::size_t max_curves = 64;
constexpr std::size_t max_times = 2048;

bool has_shear(const TransformValues& v)
{
    return is_sheared(glm::dmat3(element_matrix(TransformKind::matrix, v)));
}

bool moves_all(const ChannelBinding& channel_binding, const SamplerCurve& curve)
{
    return channel_binding.count == 16 && curve.dimensions == 16;
}

bool has_sheared_key(const SamplerCurve& curve)
{
    TransformValues values{};
    for (std::size_t key = 0; key < curve.keys(); ++key) {
        std::copy_n(curve.values.begin() + static_cast<std::ptrdiff_t>(key * 16), 16, values.begin());
        if (has_shear(values)) return true;
    }
    return false;
}

// Only the last column of a matrix in row order is translation.
bool turns_or_scales(const ChannelBinding& channel_binding)
{
    for (std::uint32_t number = channel_binding.first; number < channel_binding.first + channel_binding.count;
         ++number)
        if (number % 4 != 3) return true;
    return false;
}

// Returns the key times of curves that animate numbers of a matrix, and the middles between them; empty when
// there are too many.
std::vector<double> sample_times(const std::vector<ChannelBinding>& channel_bindings,
                                 const Animations& animations)
{
    std::vector<double> times;
    for (const ChannelBinding& channel_binding : channel_bindings) {
        const auto& keys = animations.curves[channel_binding.curve].times;
        if (times.size() + keys.size() > max_times) return {};
        times.insert(times.end(), keys.begin(), keys.end());
    }
    std::ranges::sort(times);
    const std::size_t keys = times.size();
    for (std::size_t i = 0; i + 1 < keys; ++i)
        times.push_back(0.5 * (times[i] + times[i + 1]));
    return times;
}

// Numbers animated individually may combine to shear at keys or between them.
bool may_shear_by_components(const TransformElement& element,
                             const std::vector<ChannelBinding>& channel_bindings,
                             const Animations& animations)
{
    if (std::ranges::none_of(channel_bindings, turns_or_scales)) return false;
    const std::vector<double> times = channel_bindings.size() > max_curves
                                          ? std::vector<double>()
                                          : sample_times(channel_bindings, animations);
    if (times.empty()) return true;
    return std::ranges::any_of(times, [&](double time) {
        TransformValues values = element.values;
        for (const ChannelBinding& channel_binding : channel_bindings) {
            const SamplerCurve& curve = animations.curves[channel_binding.curve];
            for (std::uint32_t n = 0; n < channel_binding.count; ++n)
                if (channel_binding.first + n < 16 && channel_binding.first_dimension + n < curve.dimensions)
                    values[channel_binding.first + n] =
                        channel_binding.factor * curve.evaluate(time, channel_binding.first_dimension + n);
        }
        return has_shear(values);
    });
}

bool matrix_shears(const TransformElement& element, const Animations& animations)
{
    if (element.channel_bindings.empty()) return false;
    if (has_shear(element.values)) return true;
    std::vector<ChannelBinding> of_numbers;
    for (const ChannelBinding& channel_binding : element.channel_bindings) {
        const SamplerCurve& curve = animations.curves[channel_binding.curve];
        if (curve.keys() == 0) continue;
        if (!moves_all(channel_binding, curve))
            of_numbers.push_back(channel_binding);
        else if (has_sheared_key(curve))
            return true;
    }
    return may_shear_by_components(element, of_numbers, animations);
}

} // namespace

bool shears(const TransformElement& element, const Animations& animations)
{
    if (element.kind == TransformKind::matrix) return matrix_shears(element, animations);
    if (element.kind != TransformKind::skew) return false;
    const auto moves_axes = [](const ChannelBinding& channel_binding) {
        return channel_binding.first + channel_binding.count > 1;
    };
    return is_oblique(element.values) || std::ranges::any_of(element.channel_bindings, moves_axes);
}

} // namespace vitrine::dae
