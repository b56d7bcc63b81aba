#pragma once
// Vectors of the lanes of lane_loops.hpp, in the compiler's vector types: loading, storing and conversion.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "loaders/scene/motion/lanes.hpp"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi" // vectors as arguments: every function here is inlined

namespace vitrine::scene::loops {

constexpr std::size_t lanes = lane_count;
constexpr std::size_t half_lanes = 4; // computed at once in doubles

using Float4 = float __attribute__((vector_size(16)));
using UnalignedFloat4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using Float8 = float __attribute__((vector_size(32)));
using Double4 = double __attribute__((vector_size(32)));
using Mask4 = std::int64_t __attribute__((vector_size(32)));

template <class Vector>
[[gnu::always_inline]] inline Vector load(const void* from)
{
    Vector out;
    std::memcpy(&out, from, sizeof(out));
    return out;
}

template <class Vector>
[[gnu::always_inline]] inline void store(const Vector& value, void* to)
{
    std::memcpy(to, &value, sizeof(value));
}

[[gnu::always_inline]] inline Double4 to_doubles(Float4 v)
{
    return __builtin_convertvector(v, Double4);
}
[[gnu::always_inline]] inline Float4 to_floats(Double4 v)
{
    return __builtin_convertvector(v, Float4);
}

// The number at `offset` in each group of floats.
[[gnu::always_inline]] inline Float4 gather(const float* const (&groups)[half_lanes], std::size_t offset)
{
    return Float4{groups[0][offset], groups[1][offset], groups[2][offset], groups[3][offset]};
}

} // namespace vitrine::scene::loops

#pragma clang diagnostic pop
