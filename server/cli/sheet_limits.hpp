#pragma once
// Limits of frame sequences that are written as one PNG or JPEG. Pure functions.

#include <cstddef>
#include <string>

#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::cli {

// Returns the reason why the frames do not fit into one sheet; empty if they do or no sheet is needed. Called
// before anything is drawn.
std::string sheet_error(std::size_t frames, const render::View& view, render::ImageFormat format);

} // namespace vitrine::cli
