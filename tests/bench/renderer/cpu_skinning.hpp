#pragma once
// Straightforward CPU skinning in the device's formats (24 bytes in, 16 out), the baseline of the compute
// pass. Compiled for the build machine (-O3 -march=native).

#include <cstdint>
#include <span>

namespace vitrine::bench {

// weights: in units of 1/255. normal: octahedral, two 16-bit snorm values.
struct CpuVertex {
    float position[3];
    std::uint32_t normal;
    std::uint8_t joints[4];
    std::uint8_t weights[4];
};
static_assert(sizeof(CpuVertex) == 24);

struct CpuSkinned {
    float position[3];
    std::uint32_t normal;
};
static_assert(sizeof(CpuSkinned) == 16);

// Rows of a 3x4 matrix.
struct CpuJoint {
    float row[3][4];
};

// Skins one frame. Joints are rigid, so that normals are transformed by the matrix itself.
void skin_on_cpu(std::span<const CpuVertex> vertices, std::span<const CpuJoint> palette, CpuSkinned* out);

} // namespace vitrine::bench
