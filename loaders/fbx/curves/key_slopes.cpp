#include "loaders/fbx/curves/tangents.hpp"

#include <bit>

namespace vitrine::fbx {
namespace {

KeyNeighbors neighbors_of(std::span<const CurveKey> keys, std::size_t i, double ticks_per_second)
{
    const CurveKey& previous = keys[i > 0 ? i - 1 : i];
    const CurveKey& next = keys[i + 1 < keys.size() ? i + 1 : i];
    // Relative to the key, because differences of ticks are exact.
    return {.previous_time = (previous.time - keys[i].time) / ticks_per_second,
            .time = 0.0,
            .next_time = (next.time - keys[i].time) / ticks_per_second,
            .previous_value = previous.value,
            .value = keys[i].value,
            .next_value = next.value,
            .left_weight = i > 0 ? double{previous.next_left_weight} : unweighted_length,
            .right_weight = double{keys[i].right_weight}};
}

// Automatic tangents have one bias per side; they are opposite unless the tangent is broken.
Slopes auto_slopes(const KeyNeighbors& key, double left_bias, double right_bias, std::uint32_t flags)
{
    if (!key.has_previous()) {
        const double slope = auto_slope(key, right_bias, flags);
        return {slope, slope};
    }
    if (!key.has_next()) {
        const double slope = auto_slope(key, -left_bias, flags);
        return {slope, slope};
    }
    return {auto_slope(key, -left_bias, flags), auto_slope(key, right_bias, flags)};
}

// Tangent modes exclude each other; a cubic key with no mode or several is flat.
std::uint32_t mode_of(const TangentDef& def)
{
    const std::uint32_t mode =
        def.flags & (key_flag::tangent_auto | key_flag::tangent_tcb | key_flag::tangent_user);
    return std::has_single_bit(mode) ? mode : 0;
}

// Returns the incoming slope of a stepped or linear key after a cubic key. A preceding automatic key
// determines both slopes; after a TCB key the slope equals the outgoing one.
double left_slope_of_plain(std::span<const CurveKey> keys, std::size_t i, const TangentDef& before,
                           double stored, double ticks_per_second)
{
    const KeyNeighbors key = neighbors_of(keys, i, ticks_per_second);
    switch (mode_of(before)) {
    case key_flag::tangent_auto: return auto_slopes(key, stored, 0.0, before.flags).left;
    case key_flag::tangent_user: return stored;
    case key_flag::tangent_tcb:
        return keys[i].interpolation == KeyInterpolation::linear && key.has_next()
                   ? (key.next_value - key.value) / key.next_time
                   : 0.0;
    default: return 0.0;
    }
}

// Returns the incoming slope of a key with user tangents: the value stored with the previous key. A TCB key
// stores other data there; then the key's outgoing slope, and 0 for the last key.
double left_of_user(const KeyNeighbors& key, std::span<const TangentDef> defs, std::size_t i, double stored)
{
    if (i == 0 || mode_of(defs[i - 1]) != key_flag::tangent_tcb) return stored;
    if ((defs[i].flags & key_flag::broken) == 0) return key.has_next() ? defs[i].right : 0.0;
    return tcb_slopes(key, defs[i - 1].right, defs[i - 1].next_left, defs[i - 1].tcb_bias).left;
}

// After a TCB key, an automatic key has a bias on its right side only. Its tangent is the neighbors' secant
// or, when broken, the slope from the previous key.
Slopes auto_behind_tension(const KeyNeighbors& key, const TangentDef& def)
{
    const double right = auto_slope(key, def.right, def.flags);
    const double line = (key.value - key.previous_value) / (key.time - key.previous_time);
    return {(def.flags & key_flag::broken) != 0 ? line : right, right};
}

Slopes slopes_of(std::span<const CurveKey> keys, std::size_t i, std::span<const TangentDef> defs,
                 double ticks_per_second)
{
    const TangentDef& def = defs[i];
    const bool from_cubic = i > 0 && keys[i - 1].interpolation == KeyInterpolation::cubic;
    const bool behind_tension = from_cubic && mode_of(defs[i - 1]) == key_flag::tangent_tcb;
    const double stored = from_cubic && !behind_tension ? defs[i - 1].next_left : 0.0;
    if (keys[i].interpolation != KeyInterpolation::cubic)
        return {.left =
                    from_cubic ? left_slope_of_plain(keys, i, defs[i - 1], stored, ticks_per_second) : 0.0};
    const KeyNeighbors key = neighbors_of(keys, i, ticks_per_second);
    switch (mode_of(def)) {
    case key_flag::tangent_auto:
        return behind_tension && key.has_previous() && key.has_next()
                   ? auto_behind_tension(key, def)
                   : auto_slopes(key, stored, def.right, def.flags);
    case key_flag::tangent_user: return {left_of_user(key, defs, i, stored), def.right};
    case key_flag::tangent_tcb: return tcb_slopes(key, def.right, def.next_left, def.tcb_bias);
    default: return {};
    }
}

} // namespace

void find_slopes(std::vector<CurveKey>& keys, std::span<const TangentDef> defs, double ticks_per_second)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Slopes slopes = slopes_of(keys, i, defs, ticks_per_second);
        keys[i].right_slope = slopes.right / ticks_per_second;
        if (i > 0) keys[i - 1].next_left_slope = slopes.left / ticks_per_second;
    }
}

} // namespace vitrine::fbx
