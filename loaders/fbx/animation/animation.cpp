#include "loaders/fbx/animation/animation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "loaders/fbx/animation/animation_reader.hpp"
#include "loaders/fbx/curves/curve_keys.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

CurveEnd read_end(Element end)
{
    const Value type = end["Type"][0u];
    const char letter = type.is_text() ? (type.text().empty() ? '\0' : type.text().front())
                                       : static_cast<char>(std::clamp<std::int64_t>(type.integer(), 0, 127));
    const std::int64_t count = end.integer("Repetition", -1);
    // A counted "keep slope" extrapolation is constant, as in the SDK.
    const CurveExtrapolation mode = extrapolation_of(letter);
    if (mode == CurveExtrapolation::keep_slope && count >= 0) return {};
    return {.mode = mode, .count = static_cast<std::int32_t>(std::clamp<std::int64_t>(count, -1, INT32_MAX))};
}

// Some of the floats are packed integers, so the text container writes the bits of all of them as integers
// since version 7200.
LoadResult<std::vector<float>> attribute_data(const Document& document, Element element)
{
    if (!document.is_text() || document.version() < 7200) return element.array<float>();
    const auto bits = element.array<std::int32_t>();
    if (!bits) return std::unexpected(bits.error());
    std::vector<float> data(bits->size());
    std::ranges::transform(*bits, data.begin(), [](std::int32_t b) { return std::bit_cast<float>(b); });
    return data;
}

LoadResult<std::vector<CurveKey>> read_arrays(const Document& document, Element curve, KeyFaults& faults)
{
    const auto times = curve["KeyTime"].array<std::int64_t>();
    if (!times) return std::unexpected(times.error());
    const auto values = curve["KeyValueFloat"].array<double>();
    if (!values) return std::unexpected(values.error());
    const auto flags = curve["KeyAttrFlags"].array<std::int32_t>();
    if (!flags) return std::unexpected(flags.error());
    const auto data = attribute_data(document, curve["KeyAttrDataFloat"]);
    if (!data) return std::unexpected(data.error());
    const auto runs = curve["KeyAttrRefCount"].array<std::int32_t>();
    if (!runs) return std::unexpected(runs.error());
    return keys_from_arrays({*times, *values, *flags, *data, *runs}, document.ticks_per_second(), &faults);
}

LoadResult<std::vector<CurveKey>> read_list(const Document& document, Element curve, KeyFaults& faults)
{
    const auto list = curve["Key"].all_values();
    if (!list) return std::unexpected(list.error());
    const std::int64_t stated = curve.integer("KeyVer");
    const std::int64_t version = stated > 0 ? stated : default_key_version(document.version());
    return keys_from_list(*list, version, document.ticks_per_second(), &faults);
}

// Returns the default of a component without a curve; on an additive layer it contributes nothing.
glm::dvec3 neutral(const AnimationLayer& layer, PropertyKind kind, const glm::dvec3& static_value)
{
    if (layer.is_base || layer.mode != BlendMode::additive) return static_value;
    return glm::dvec3(kind == PropertyKind::scaling ? 1.0 : 0.0);
}

} // namespace

LoadResult<AnimationStacks> AnimationStacks::read(const Document& document, const Limits& limits,
                                                  io::WarningLog& warnings, ExtrapolationPolicy policy)
{
    return AnimationReader(document, limits, warnings, policy).run();
}

LoadResult<Curve> AnimationStacks::curve(Element element) const
{
    Curve curve;
    if (!element.exists()) return curve;
    const bool arrays = element["KeyTime"].exists();
    keys_read_ += arrays ? element["KeyTime"].array_count() : element["Key"].array_count() / 3;
    if (keys_read_ > limits_->key_values)
        return io::limit_exceeded_error(element.location(), "the numbers of all keys", "key_values",
                                        limits_->key_values);
    KeyFaults faults;
    auto keys = arrays ? read_arrays(*document_, element, faults) : read_list(*document_, element, faults);
    if (!keys) {
        if (keys.error().where.empty()) keys.error().where = element.location();
        return std::unexpected(keys.error());
    }
    curve.keys = *std::move(keys);
    warn_about_keys(faults, element);
    if (policy_ == ExtrapolationPolicy::clamped) return curve;
    curve.before = read_end(element["Pre-Extrapolation"]);
    curve.after = read_end(element["Post-Extrapolation"]);
    return curve;
}

// Reports each fault once per file, at the first curve that has it, because curves are decoded on every
// access.
void AnimationStacks::warn_about_keys(const KeyFaults& faults, Element curve) const
{
    const auto warn_once = [&](bool KeyFaults::* fault, const char* message) {
        if (faults.*fault && !std::exchange(reported_.*fault, true))
            warnings_->add("invalid_keys", message, curve.location());
    };
    warn_once(&KeyFaults::uneven,
              "a curve has different numbers of values and key times; the excess is ignored");
    warn_once(&KeyFaults::non_finite, "a curve has key values or times that are not finite; such "
                                      "values are replaced by 0, keys with such times are removed");
    warn_once(&KeyFaults::unsorted, "the key times of a curve do not ascend; they are sorted");
    warn_once(&KeyFaults::uncovered,
              "the attributes of a curve do not cover its keys; the remaining keys are linear");
}

LoadResult<AnimatedProperty> AnimationStacks::property(const AnimationStack& stack, std::uint32_t object,
                                                       std::string_view name, PropertyKind kind,
                                                       const glm::dvec3& static_value,
                                                       RotationOrder order) const
{
    std::vector<LayerCurves> layers;
    for (const CurveNode& node : stack.find(object, name)) {
        LayerCurves on{.layer = stack.layers[node.layer], .curves = {}};
        on.defaults = neutral(on.layer, kind, static_value);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto read = curve(node.curves[axis]);
            if (!read) return std::unexpected(read.error());
            on.curves[axis] = *std::move(read);
            if (node.defaults[axis]) on.defaults[static_cast<glm::length_t>(axis)] = *node.defaults[axis];
        }
        layers.push_back(std::move(on));
    }
    return AnimatedProperty(kind, static_value, std::move(layers), order);
}

LoadResult<std::optional<std::pair<double, double>>>
AnimationStacks::key_span(const AnimationStack& stack) const
{
    std::optional<std::pair<double, double>> span;
    for (const CurveNode& node : stack.nodes) {
        for (const Element element : node.curves) {
            const auto read = curve(element);
            if (!read) return std::unexpected(read.error());
            if (read->keys.empty()) continue;
            if (!span) span.emplace(read->first_time(), read->last_time());
            span->first = std::min(span->first, read->first_time());
            span->second = std::max(span->second, read->last_time());
        }
    }
    return span;
}

std::span<const CurveNode> AnimationStack::find(std::uint32_t object) const
{
    const auto found = std::ranges::equal_range(nodes, object, {}, &CurveNode::object);
    return {found.begin(), found.end()};
}

std::span<const CurveNode> AnimationStack::find(std::uint32_t object, std::string_view property) const
{
    const auto all = find(object);
    const auto found = std::ranges::equal_range(all, property, {}, &CurveNode::property);
    return {found.begin(), found.end()};
}

double frame_rate(const Document& document)
{
    // Frame rates by TimeMode; 0 is the default mode, 14 a custom rate.
    constexpr std::array rates{24.0,
                               120.0,
                               100.0,
                               60.0,
                               50.0,
                               48.0,
                               30.0,
                               30.0,
                               30000.0 / 1001.0,
                               30000.0 / 1001.0,
                               25.0,
                               24.0,
                               1000.0,
                               24000.0 / 1001.0,
                               24.0,
                               96.0,
                               72.0,
                               60000.0 / 1001.0,
                               120000.0 / 1001.0};
    const Properties& settings = document.global_settings();
    const std::int64_t mode = settings.integer("TimeMode");
    const double custom = settings.real("CustomFrameRate");
    if (mode == 14 && custom > 0.0 && custom < 1e6) return custom;
    return mode >= 0 && static_cast<std::size_t>(mode) < rates.size() ? rates[static_cast<std::size_t>(mode)]
                                                                      : rates[0];
}

std::uint32_t frame_count(double duration, double frame_rate)
{
    return static_cast<std::uint32_t>(std::min(std::round(duration * frame_rate), 4e9)) + 1;
}

} // namespace vitrine::fbx
