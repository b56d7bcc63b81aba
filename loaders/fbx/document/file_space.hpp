#pragma once
// The coordinate axes and unit of a file.

#include "loaders/fbx/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Reads UpAxis, FrontAxis and CoordAxis with their signs, and UnitScaleFactor (centimeters). Where they do
// not define a valid space: Y up, front +Z, centimeters, with a warning.
scene::FileSpace file_space(const Document& document, io::WarningLog& warnings);

} // namespace vitrine::fbx
