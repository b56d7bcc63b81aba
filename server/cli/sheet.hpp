#pragma once
// One picture of many frames, row by row: what PNG and JPEG hold of a film. Pure.

#include <cstddef>
#include <string>
#include <vector>

#include "vk_renderer/encode/encode.hpp"
#include "vk_renderer/view.hpp"

namespace vitrine::cli {

// Why so many frames do not make a sheet; empty: they do, or need none. Asked before any is drawn.
std::string sheet_fault(std::size_t frames, const render::View& view, render::ImageFormat format);

// Of frames of one size, at least one; nearly a square.
render::Frame sheet_of(const std::vector<render::Frame>& frames);

} // namespace vitrine::cli
