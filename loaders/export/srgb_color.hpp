#pragma once
// Converts linear components to display (sRGB) values for files.

#include <algorithm>

#include "loaders/base/srgb.hpp"

namespace vitrine::exporting {

inline float to_srgb(float linear)
{
    return srgb_from_linear(std::clamp(linear, 0.0f, 1.0f));
}

} // namespace vitrine::exporting
