#include "tests/bench/renderer/cpu_skinning.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::bench {
namespace {

struct Vector {
    float x, y, z;
};

Vector decode(std::uint32_t packed)
{
    const float x = static_cast<float>(static_cast<std::int16_t>(packed)) / 32767.0f;
    const float y = static_cast<float>(static_cast<std::int16_t>(packed >> 16)) / 32767.0f;
    const float z = 1.0f - std::abs(x) - std::abs(y);
    const float t = std::max(-z, 0.0f);
    const Vector n{x + (x >= 0.0f ? -t : t), y + (y >= 0.0f ? -t : t), z};
    const float size = 1.0f / std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    return {n.x * size, n.y * size, n.z * size};
}

std::uint32_t snorm16(float f)
{
    return static_cast<std::uint16_t>(static_cast<std::int16_t>(f * 32767.0f + (f < 0.0f ? -0.5f : 0.5f)));
}

std::uint32_t encode(Vector n)
{
    const float size = 1.0f / std::max(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1e-30f);
    const Vector m{n.x * size, n.y * size, n.z * size};
    const float t = std::max(-m.z, 0.0f);
    return snorm16(m.x + (m.x >= 0.0f ? t : -t)) | snorm16(m.y + (m.y >= 0.0f ? t : -t)) << 16;
}

CpuSkinned skinned(const CpuVertex& in, std::span<const CpuJoint> palette)
{
    float m[3][4] = {};
    for (int i = 0; i < 4; ++i) {
        const float weight = static_cast<float>(in.weights[i]) * (1.0f / 255.0f);
        const auto& joint = palette[in.joints[i]];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c)
                m[r][c] += weight * joint.row[r][c];
    }
    const auto* p = in.position;
    const auto n = decode(in.normal);
    CpuSkinned out{};
    for (int r = 0; r < 3; ++r)
        out.position[r] = m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3];
    const auto turned = [&](int r) { return m[r][0] * n.x + m[r][1] * n.y + m[r][2] * n.z; };
    out.normal = encode({turned(0), turned(1), turned(2)});
    return out;
}

} // namespace

void skin_on_cpu(std::span<const CpuVertex> vertices, std::span<const CpuJoint> palette, CpuSkinned* out)
{
    for (const auto& vertex : vertices)
        *out++ = skinned(vertex, palette);
}

} // namespace vitrine::bench
