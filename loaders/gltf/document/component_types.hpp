#pragma once
// Which component types the specification allows where numbers are read. Others are read as what they say,
// with a warning: the file is invalid, what it means is not in doubt.

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
    vectors,   // what translations and scales are animated with, inverse bind matrices
    fractions, // rotations and weights of morph targets
    instance_rotations
};

// `member` holds the accessor's index.
void check_format(Document& document, const Accessor& accessor, AccessorUsage use, io::JsonValue member);

} // namespace vitrine::gltf
