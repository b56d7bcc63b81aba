#pragma once
// A curve's keys from the two ways in which files store them: parallel arrays with shared attributes (version
// 7000 and later), and one list of times, values and letters (`Key:` before that).

#include <cstdint>
#include <span>
#include <string_view>

#include "loaders/fbx/container/element.hpp"
#include "loaders/fbx/curves/curve.hpp"

namespace vitrine::fbx {

// KeyTime, KeyValueFloat; flags and data are run-length encoded: entry i holds for runs[i] keys, four floats
// of data each.
struct KeyArrays {
    std::span<const std::int64_t> times;
    std::span<const double> values;
    std::span<const std::int32_t> flags;
    std::span<const float> data;
    std::span<const std::int32_t> runs;
};

// What was wrong with the keys of a curve.
struct KeyFaults {
    bool uneven = false;     // times without a value or values without a time: left out
    bool non_finite = false; // values, which became 0, or times, whose keys are left out
    bool unsorted = false;   // times, sorted
    bool uncovered = false; // some keys without attributes, or attributes that are not 4 numbers for each run
};

// Keys without attributes are linear; keys whose times do not ascend are sorted. Tells `faults`, where it is
// given. Errors: malformed, without a place.
LoadResult<std::vector<CurveKey>> keys_from_arrays(const KeyArrays& arrays, double ticks_per_second,
                                                   KeyFaults* faults = nullptr);

// `version` is the channel's KeyVer (4001 .. 4009). Errors: malformed, truncated.
LoadResult<std::vector<CurveKey>> keys_from_list(std::span<const Value> list, std::int64_t version,
                                                 double ticks_per_second, KeyFaults* faults = nullptr);
// KeyVer where the channel does not say: by the file's version.
std::int64_t default_key_version(std::uint32_t file_version);

// The letter of Pre_Extrapolation's or Post_Extrapolation's Type: C R M K A. Another is constant.
CurveExtrapolation extrapolation_of(char letter);

} // namespace vitrine::fbx
