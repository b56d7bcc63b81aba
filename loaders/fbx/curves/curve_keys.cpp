#include "loaders/fbx/curves/curve_keys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "loaders/fbx/curves/tangents.hpp"

namespace vitrine::fbx {
namespace {

bool is_sane(double v)
{
    return std::abs(v) < 1e30; // also rejects NaN; results computed from it remain finite
}

KeyInterpolation interpolation_of(std::uint32_t flags)
{
    if ((flags & key_flag::constant) != 0)
        return (flags & key_flag::constant_next) != 0 ? KeyInterpolation::constant_next
                                                      : KeyInterpolation::constant;
    return (flags & key_flag::cubic) != 0 ? KeyInterpolation::cubic : KeyInterpolation::linear;
}

// Returns false when the keys were sorted already.
bool sort_by_time(std::vector<CurveKey>& keys, std::vector<TangentDef>& defs)
{
    if (std::ranges::is_sorted(keys, {}, &CurveKey::time)) return false;
    std::vector<std::size_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(keys[i].time, i); });
    std::vector<CurveKey> sorted_keys;
    std::vector<TangentDef> sorted_defs;
    for (const std::size_t i : order) {
        sorted_keys.push_back(keys[i]);
        sorted_defs.push_back(defs[i]);
    }
    keys = std::move(sorted_keys);
    defs = std::move(sorted_defs);
    return true;
}

// Two decimal fixed-point numbers in the bits of a float: the fraction of the segment for the right tangent
// in the lower half, for the next key's left tangent in the upper half.
void unpack_weights(CurveKey& key, std::uint32_t flags, float packed)
{
    const auto bits = std::bit_cast<std::uint32_t>(packed);
    if ((flags & key_flag::weighted_right) != 0)
        key.right_weight = static_cast<float>(bits & 0xFFFF) * 0.0001f;
    if ((flags & key_flag::weighted_next_left) != 0)
        key.next_left_weight = static_cast<float>(bits >> 16) * 0.0001f;
}

TangentDef read_attributes(CurveKey& key, std::uint32_t flags, std::span<const float> data)
{
    key.interpolation = interpolation_of(flags);
    if (key.interpolation != KeyInterpolation::cubic || data.size() < 4) return {.flags = flags};
    const auto weighted = flags & (key_flag::weighted_right | key_flag::weighted_next_left);
    if (weighted != 0) unpack_weights(key, flags, data[2]);
    const auto sane = [](float v) { return is_sane(double{v}) ? double{v} : 0.0; };
    return {.flags = flags,
            .right = sane(data[0]),
            .next_left = sane(data[1]),
            .tcb_bias = weighted == 0 ? sane(data[2]) : 0.0};
}

// Reads a list of mixed values sequentially; reading past the end is recorded and checked once.
class KeyList {
public:
    explicit KeyList(std::span<const Value> values) : values_(values) {}

    bool failed() const { return failed_; }
    bool at_end() const { return next_ >= values_.size(); }
    std::size_t position() const { return next_; }

    double number() { return take().real(); }
    // Reads a bare word; in binary files its character code.
    char letter()
    {
        const Value value = take();
        if (value.is_text()) return value.text().empty() ? '\0' : value.text().front();
        const std::int64_t code = value.integer();
        return code > 0 && code < 128 ? static_cast<char>(code) : '\0';
    }

private:
    Value take()
    {
        if (at_end()) {
            failed_ = true;
            return {};
        }
        return values_[next_++];
    }

    std::span<const Value> values_;
    std::size_t next_ = 0;
    bool failed_ = false;
};

struct Announced {
    int numbers = 0; // after the letter of the tangent mode
    int weights = 0; // letters of weights after those
};

// Determined by comparing files of different versions of the same scenes.
Announced announced_by(char mode, std::int64_t version)
{
    switch (mode) {
    case 's':                                      // standard
    case 'b': return {2, version == 4003 ? 0 : 1}; // broken
    case 'a': return {0, version <= 4004 ? 0 : 1}; // automatic
    case 'p':                                      // automatic, with biases
    case 'q': return {2, version <= 4004 ? 1 : 2};
    case 't': return {3, 0}; // tension, continuity, bias
    case 'd': return {1, 1};
    default: return {-1, 0};
    }
}

void read_weights(KeyList& list, int letters, CurveKey& key)
{
    for (int i = 0; i < letters; ++i) {
        const char mode = list.letter();
        if (mode == 'a' || mode == 'r') key.right_weight = static_cast<float>(list.number());
        if (mode == 'a' || mode == 'l') key.next_left_weight = static_cast<float>(list.number());
    }
}

// `a` is Maya's automatic tangent; these are its bits in version 7.
std::uint32_t flags_of(char mode)
{
    switch (mode) {
    case 's': return key_flag::tangent_user;
    case 'b': return key_flag::tangent_user | key_flag::broken;
    case 't': return key_flag::tangent_tcb;
    case 'a': return key_flag::tangent_auto | key_flag::time_independent | key_flag::clamp_progressive;
    default: return key_flag::tangent_auto;
    }
}

// Reads the tangents after `U`. Returns false for a mode of unknown length.
bool read_cubic(KeyList& list, std::int64_t version, CurveKey& key, TangentDef& def)
{
    const char mode = list.letter();
    const Announced announced = announced_by(mode, version);
    if (announced.numbers < 0) return false;
    double numbers[3] = {};
    for (int i = 0; i < announced.numbers; ++i)
        numbers[i] = list.number();
    for (double& number : numbers)
        number = is_sane(number) ? number : 0.0;
    def = {.flags = key_flag::cubic | flags_of(mode),
           .right = numbers[0],
           .next_left = numbers[1],
           .tcb_bias = numbers[2]};
    read_weights(list, announced.weights, key);
    return true;
}

bool read_key(KeyList& list, std::int64_t version, CurveKey& key, TangentDef& def)
{
    key.time = list.number();
    key.value = list.number();
    switch (list.letter()) {
    case 'U': key.interpolation = KeyInterpolation::cubic; return read_cubic(list, version, key, def);
    case 'L': def.flags = key_flag::linear; break;
    case 'C':
        def.flags = key_flag::constant;
        if (version >= 4004 && list.letter() == 'n') def.flags |= key_flag::constant_next;
        break;
    default: return false;
    }
    key.interpolation = interpolation_of(def.flags);
    return true;
}

} // namespace

LoadResult<std::vector<CurveKey>> keys_from_arrays(const KeyArrays& arrays, double ticks_per_second,
                                                   KeyFaults* faults)
{
    const bool has_attributes = !arrays.flags.empty() || !arrays.data.empty() || !arrays.runs.empty();
    KeyFaults found{.uneven = arrays.times.size() != arrays.values.size(),
                    .uncovered = arrays.flags.size() != arrays.runs.size() ||
                                 arrays.data.size() != 4 * arrays.runs.size()};
    const std::size_t count = std::min(arrays.times.size(), arrays.values.size());
    std::vector<CurveKey> keys(count);
    std::vector<TangentDef> defs(count);
    std::size_t run = 0;
    std::int64_t left = arrays.runs.empty() ? 0 : arrays.runs[0];
    for (std::size_t i = 0; i < count; ++i) {
        while (left <= 0 && run + 1 < arrays.runs.size())
            left = arrays.runs[++run];
        keys[i].time = static_cast<double>(arrays.times[i]);
        found.non_finite = found.non_finite || !is_sane(arrays.values[i]);
        keys[i].value = is_sane(arrays.values[i]) ? arrays.values[i] : 0.0;
        keys[i].interpolation = KeyInterpolation::linear;
        if (left > 0 && run < arrays.flags.size()) {
            const std::size_t at = std::min(run * 4, arrays.data.size());
            const auto data = arrays.data.subspan(at, std::min<std::size_t>(4, arrays.data.size() - at));
            defs[i] = read_attributes(keys[i], static_cast<std::uint32_t>(arrays.flags[run]), data);
        } else {
            found.uncovered = found.uncovered || has_attributes;
        }
        --left;
    }
    found.unsorted = sort_by_time(keys, defs);
    if (faults != nullptr) *faults = found;
    find_slopes(keys, defs, ticks_per_second);
    return keys;
}

LoadResult<std::vector<CurveKey>> keys_from_list(std::span<const Value> list, std::int64_t version,
                                                 double ticks_per_second, KeyFaults* faults)
{
    KeyFaults found;
    KeyList in(list);
    std::vector<CurveKey> keys;
    std::vector<TangentDef> defs;
    while (!in.at_end()) {
        CurveKey key;
        TangentDef def;
        if (!read_key(in, version, key, def))
            return fail(LoadErrc::malformed, {}, "a key of a curve has an unknown interpolation type");
        if (in.failed()) return fail(LoadErrc::truncated, {}, "the last key of a curve is incomplete");
        found.non_finite = found.non_finite || !is_sane(key.value) || !is_sane(key.time);
        if (!is_sane(key.value)) key.value = 0.0;
        if (!is_sane(key.time)) continue;
        keys.push_back(key);
        defs.push_back(def);
    }
    found.unsorted = sort_by_time(keys, defs);
    if (faults != nullptr) *faults = found;
    find_slopes(keys, defs, ticks_per_second);
    return keys;
}

std::int64_t default_key_version(std::uint32_t file_version)
{
    if (file_version < 5000) return 4003;
    return file_version < 6000 ? 4004 : 4005;
}

CurveExtrapolation extrapolation_of(char letter)
{
    switch (letter) {
    case 'R': return CurveExtrapolation::repetition;
    case 'M': return CurveExtrapolation::mirror;
    case 'K': return CurveExtrapolation::keep_slope;
    case 'A': return CurveExtrapolation::relative_repetition;
    default: return CurveExtrapolation::constant;
    }
}

} // namespace vitrine::fbx
