#pragma once
// Encodes scene images as PNG for exported files. Opaque images are written without alpha.

#include <cstddef>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Precondition: the image has pixels.
std::vector<std::byte> write_png(const scene::Image& image);

} // namespace vitrine::exporting
