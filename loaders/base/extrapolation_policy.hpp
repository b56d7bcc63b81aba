#pragma once
// The evaluation of curves outside their keys.

#include <cstdint>

namespace vitrine {

enum class ExtrapolationPolicy : std::uint32_t {
    extrapolated, // as the file or the channel declares
    clamped,      // the values of the first and the last key
};

} // namespace vitrine
