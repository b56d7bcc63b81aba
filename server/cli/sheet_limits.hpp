#pragma once
// Which films PNG and JPEG can hold as one picture. Pure.

#include <cstddef>
#include <string>

#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::cli {

// Why so many frames do not make a sheet; empty: they do, or need none. Called before any is drawn.
std::string sheet_error(std::size_t frames, const render::View& view, render::ImageFormat format);

} // namespace vitrine::cli
