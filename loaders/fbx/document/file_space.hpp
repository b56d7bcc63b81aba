#pragma once
// The axes and the unit in which a file is written.

#include "loaders/fbx/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// From UpAxis, FrontAxis, CoordAxis with their signs and UnitScaleFactor (centimetres). Where they say
// nothing that makes a space: Y up, front +Z, centimetres, with a warning.
scene::FileSpace file_space(const Document& document, io::WarningLog& warnings);

} // namespace vitrine::fbx
