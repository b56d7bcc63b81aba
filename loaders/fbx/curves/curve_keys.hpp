#pragma once
// Reads a curve's keys from the two forms in which files store them: parallel arrays with shared attributes
// (version 7000 and later), and one list of times, values and letters (`Key:`, earlier versions).

#include <cstdint>
#include <span>
#include <string_view>

#include "loaders/fbx/container/element.hpp"
#include "loaders/fbx/curves/curve.hpp"

namespace vitrine::fbx {

// KeyTime, KeyValueFloat; flags and data are run-length encoded: entry i applies to runs[i] keys and has four
// floats of data.
struct KeyArrays {
    std::span<const std::int64_t> times;
    std::span<const double> values;
    std::span<const std::int32_t> flags;
    std::span<const float> data;
    std::span<const std::int32_t> runs;
};

// Faults found in the keys of a curve.
struct KeyFaults {
    bool uneven = false;     // times without a value or values without a time; dropped
    bool non_finite = false; // values (replaced by 0) or times (their keys are dropped)
    bool unsorted = false;   // times were not ascending; sorted
    bool uncovered = false;  // keys without attributes, or attributes that are not 4 numbers per run
};

// Keys without attributes are linear; keys with times that do not ascend are sorted. Fills `faults` when not
// null. Errors: malformed, without a place.
LoadResult<std::vector<CurveKey>> keys_from_arrays(const KeyArrays& arrays, double ticks_per_second,
                                                   KeyFaults* faults = nullptr);

// `version` is the channel's KeyVer (4001 to 4009). Errors: malformed, truncated.
LoadResult<std::vector<CurveKey>> keys_from_list(std::span<const Value> list, std::int64_t version,
                                                 double ticks_per_second, KeyFaults* faults = nullptr);
// Returns the KeyVer of a channel that does not declare one, from the file's version.
std::int64_t default_key_version(std::uint32_t file_version);

// Converts the letter of Pre_Extrapolation's or Post_Extrapolation's Type: C, R, M, K or A. Other letters are
// constant.
CurveExtrapolation extrapolation_of(char letter);

} // namespace vitrine::fbx
