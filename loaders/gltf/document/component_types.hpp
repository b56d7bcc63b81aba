#pragma once
// The component types that the specification allows for each use. Other types are read as declared, with a
// warning: the file is invalid but unambiguous.

#include "loaders/gltf/document/accessor.hpp"

namespace vitrine::gltf {

enum class AccessorUsage {
    positions,
    position_deltas,
    directions, // normals, tangents and their deltas
    texture_coordinates,
    colors,
    joints,
    weights, // of joints
    indices,
    times,
    vectors,   // keys of translations and scales, inverse bind matrices
    fractions, // keys of rotations and weights of morph targets
    instance_rotations
};

// `member` contains the accessor's index.
void check_format(Document& document, const Accessor& accessor, AccessorUsage use, io::JsonValue member);

} // namespace vitrine::gltf
