#pragma once
// Bodies of the functions of lanes.hpp. They are inlined into each compiled version, so that tests can run
// the one for processors without AVX2 too. Private to loaders/scene.

#include <cstddef>
#include <cstdint>
#include <span>

#include "loaders/scene/motion/interpolation.hpp"
#include "loaders/scene/motion/lane_vectors.hpp"
#include "loaders/scene/motion/lanes.hpp"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi" // vectors as arguments: every function here is inlined

namespace vitrine::scene::loops {

// The numbers of the keys before and after four moments.
struct KeyPointers {
    const float* from[half_lanes];
    const float* to[half_lanes];
};

[[gnu::always_inline]] inline KeyPointers pointers_of(const float* values, const KeyLanes& at,
                                                      std::size_t first, std::size_t stride)
{
    KeyPointers keys;
    for (std::size_t i = 0; i < half_lanes; ++i) {
        keys.from[i] = values + at.from[first + i] * stride;
        keys.to[i] = values + at.to[first + i] * stride;
    }
    return keys;
}

// Translation or scale, linear or step.
[[gnu::always_inline]] inline void sample_vectors(const float* values, const KeyLanes& at, Lane* out)
{
    for (std::size_t first = 0; first < lanes; first += half_lanes) {
        const KeyPointers keys = pointers_of(values, at, first, 3);
        const auto t = load<Double4>(at.fraction + first);
        for (std::size_t c = 0; c < 3; ++c) {
            const Double4 value =
                (1.0 - t) * to_doubles(gather(keys.from, c)) + t * to_doubles(gather(keys.to, c));
            store(to_floats(value), out[c] + first);
        }
    }
}

// The weights of Hermite interpolation (glTF 2.0, appendix C.3).
struct HermiteWeights {
    Double4 value0, tangent0, value1, tangent1;
};

[[gnu::always_inline]] inline HermiteWeights hermite_weights(const KeyLanes& at, std::size_t first)
{
    const auto t = load<Double4>(at.fraction + first), span = load<Double4>(at.span + first);
    const Double4 t2 = t * t, t3 = t2 * t;
    return {2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)};
}

// The value itself where nothing is interpolated.
[[gnu::always_inline]] inline Float4 hermite(const HermiteWeights& weights, Mask4 between,
                                             const KeyPointers& keys, std::size_t components, std::size_t c)
{
    const Float4 value = gather(keys.from, components + c);
    const Double4 curve = weights.value0 * to_doubles(value) +
                          weights.tangent0 * to_doubles(gather(keys.from, 2 * components + c)) +
                          weights.value1 * to_doubles(gather(keys.to, components + c)) +
                          weights.tangent1 * to_doubles(gather(keys.to, c));
    return to_floats(between ? curve : to_doubles(value));
}

// Translation or scale, cubic.
[[gnu::always_inline]] inline void sample_cubic_vectors(const float* values, const KeyLanes& at, Lane* out)
{
    for (std::size_t first = 0; first < lanes; first += half_lanes) {
        const KeyPointers keys = pointers_of(values, at, first, 9);
        const HermiteWeights weights = hermite_weights(at, first);
        const auto between = load<Mask4>(at.between + first);
        for (std::size_t c = 0; c < 3; ++c)
            store(hermite(weights, between, keys, 3, c), out[c] + first);
    }
}

// Rotations, cubic: normalized. Returns whether all had a direction; otherwise `out` is not defined.
[[gnu::always_inline]] inline bool sample_cubic_rotations(const float* values, const KeyLanes& at, Lane* out)
{
    Mask4 defined{-1, -1, -1, -1};
    for (std::size_t first = 0; first < lanes; first += half_lanes) {
        const KeyPointers keys = pointers_of(values, at, first, 12);
        const HermiteWeights weights = hermite_weights(at, first);
        const auto between = load<Mask4>(at.between + first);
        Double4 q[4];
        for (std::size_t c = 0; c < 4; ++c)
            q[c] = to_doubles(hermite(weights, between, keys, 4, c));
        const Double4 length =
            __builtin_elementwise_sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
        defined &= length > Double4{} + 1e-30;
        for (std::size_t c = 0; c < 4; ++c)
            store(to_floats(q[c] / length), out[c] + first);
    }
    return __builtin_reduce_and(defined) != 0;
}

// Four groups of four floats, by component.
[[gnu::always_inline]] inline QuaternionOf<Float4> load_quaternions(const float* const (&groups)[half_lanes])
{
    const Float4 a = load<UnalignedFloat4>(groups[0]), b = load<UnalignedFloat4>(groups[1]);
    const Float4 c = load<UnalignedFloat4>(groups[2]), d = load<UnalignedFloat4>(groups[3]);
    const Float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
            __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
            __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
            __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
}

[[gnu::always_inline]] inline QuaternionOf<Double4> to_doubles(const QuaternionOf<Float4>& q)
{
    return {to_doubles(q.x), to_doubles(q.y), to_doubles(q.z), to_doubles(q.w)};
}

// Whether a length is certainly within 1e-3 of 1, so that sample_channel() does not normalize.
[[gnu::always_inline]] inline auto is_near_unit(const QuaternionOf<Float4>& q)
{
    const Float4 square = dot(q, q);
    return (square > Float4{} + 0.9981f) & (square < Float4{} + 1.0019f);
}

// Rotations, linear or step. Returns whether all quaternions are used as they are; otherwise `out` is not
// defined.
[[gnu::always_inline]] inline bool sample_rotations(const float* values, const KeyLanes& at, Lane* out)
{
    auto unit = Float4{} == Float4{};
    for (std::size_t first = 0; first < lanes; first += half_lanes) {
        const KeyPointers keys = pointers_of(values, at, first, 4);
        const auto from = load_quaternions(keys.from), to = load_quaternions(keys.to);
        const auto q = slerp_shortest(to_doubles(from), to_doubles(to), load<Double4>(at.fraction + first));
        const QuaternionOf<Float4> rounded{to_floats(q.x), to_floats(q.y), to_floats(q.z), to_floats(q.w)};
        unit &= is_near_unit(from) & is_near_unit(to) & is_near_unit(rounded);
        store(rounded.x, out[0] + first);
        store(rounded.y, out[1] + first);
        store(rounded.z, out[2] + first);
        store(rounded.w, out[3] + first);
    }
    return __builtin_reduce_and(unit) != 0;
}

// to_matrix().
[[gnu::always_inline]] inline void to_matrices(const LocalLanes& local, Float8 (&m)[MatrixLanes::count])
{
    Float8 v[LocalLanes::count];
    for (std::size_t i = 0; i < LocalLanes::count; ++i)
        v[i] = load<Float8>(local.values[i]);
    const Float8 &x = v[3], &y = v[4], &z = v[5], &w = v[6];
    const Float8 xx = x * x, yy = y * y, zz = z * z, xz = x * z, xy = x * y, yz = y * z;
    const Float8 wx = w * x, wy = w * y, wz = w * z;
    m[0] = (1.0f - 2.0f * (yy + zz)) * v[7];
    m[1] = (2.0f * (xy + wz)) * v[7];
    m[2] = (2.0f * (xz - wy)) * v[7];
    m[3] = (2.0f * (xy - wz)) * v[8];
    m[4] = (1.0f - 2.0f * (xx + zz)) * v[8];
    m[5] = (2.0f * (yz + wx)) * v[8];
    m[6] = (2.0f * (xz + wy)) * v[9];
    m[7] = (2.0f * (yz - wx)) * v[9];
    m[8] = (1.0f - 2.0f * (xx + yy)) * v[9];
    for (std::size_t i = 0; i < 3; ++i)
        m[9 + i] = v[i];
}

// multiply_affine().
[[gnu::always_inline]] inline void multiply(const MatrixLanes& a, const Float8 (&b)[MatrixLanes::count],
                                            MatrixLanes& out)
{
    for (std::size_t r = 0; r < 3; ++r) {
        const auto a0 = load<Float8>(a.values[r]), a1 = load<Float8>(a.values[3 + r]),
                   a2 = load<Float8>(a.values[6 + r]), a3 = load<Float8>(a.values[9 + r]);
        for (std::size_t c = 0; c < 4; ++c) {
            Float8 value = a0 * b[3 * c] + a1 * b[3 * c + 1] + a2 * b[3 * c + 2];
            if (c == 3) value += a3;
            store(value, out.values[3 * c + r]);
        }
    }
}

// Row i becomes the i-th number of each row.
[[gnu::always_inline]] inline void transpose(Float8 (&r)[8])
{
    Float8 s[8], t[8];
    for (std::size_t i = 0; i < 8; i += 2) {
        s[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (std::size_t i = 0; i < 8; i += 4) {
        t[i] = __builtin_shufflevector(s[i], s[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        t[i + 1] = __builtin_shufflevector(s[i], s[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        t[i + 2] = __builtin_shufflevector(s[i + 1], s[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        t[i + 3] = __builtin_shufflevector(s[i + 1], s[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        r[i] = __builtin_shufflevector(t[i], t[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = __builtin_shufflevector(t[i], t[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Writes Pose::local[node] of the poses, at most eight.
[[gnu::always_inline]] inline void store_local(const LocalLanes& local, std::size_t node,
                                               std::span<Pose> poses)
{
    static_assert(sizeof(Trs) == LocalLanes::count * sizeof(float));
    Float8 rows[lanes];
    for (std::size_t i = 0; i < lanes; ++i)
        rows[i] = load<Float8>(local.values[i]);
    transpose(rows);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        Trs& out = poses[i].local[node];
        store(rows[i], &out.translation.x);
        out.scale.y = local.values[8][i];
        out.scale.z = local.values[9][i];
    }
}

// Writes Pose::model[node] of the poses, at most eight.
[[gnu::always_inline]] inline void store_model(const MatrixLanes& m, std::size_t node, std::span<Pose> poses)
{
    const Float8 zero{};
    const auto row = [&](std::size_t i) __attribute__((always_inline)) { return load<Float8>(m.values[i]); };
    Float8 left[lanes] = {row(0), row(1), row(2), zero, row(3), row(4), row(5), zero};
    Float8 right[lanes] = {row(6), row(7), row(8), zero, row(9), row(10), row(11), zero + 1.0f};
    transpose(left);
    transpose(right);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        float* out = &poses[i].model[node][0].x;
        store(left[i], out);
        store(right[i], out + 8);
    }
}

// As to_matrices(), the same matrix at all moments.
[[gnu::always_inline]] inline void repeat_matrix(const glm::mat4& matrix, Float8 (&m)[MatrixLanes::count])
{
    for (std::size_t i = 0; i < MatrixLanes::count; ++i)
        m[i] = Float8{} + matrix[static_cast<glm::length_t>(i / 3)][static_cast<glm::length_t>(i % 3)];
}

// Makes the last column relative to the origins.
[[gnu::always_inline]] inline void subtract(const OriginLanes& origins, Float8 (&m)[MatrixLanes::count])
{
    for (std::size_t i = 0; i < 3; ++i) {
        Lane translation;
        store(m[9 + i], translation);
        for (std::size_t k = 0; k < lanes; ++k)
            translation[k] = static_cast<float>(double{translation[k]} - origins.values[i][k]);
        m[9 + i] = load<Float8>(translation);
    }
}

[[gnu::always_inline]] inline void place_nodes(std::span<const PlacedNode> nodes,
                                               std::span<const LocalLanes> local,
                                               std::span<MatrixLanes> model, const OriginLanes& origins,
                                               std::span<Pose> poses)
{
    MatrixLanes identity{};
    for (const std::size_t diagonal : {0uz, 4uz, 8uz})
        store(Float8{} + 1.0f, identity.values[diagonal]);
    for (const PlacedNode& placed : nodes) {
        Float8 matrices[MatrixLanes::count];
        if (placed.matrix)
            repeat_matrix(*placed.matrix, matrices);
        else
            to_matrices(local[placed.node], matrices);
        if (placed.parent == none) subtract(origins, matrices);
        multiply(placed.parent == none ? identity : model[placed.parent], matrices, model[placed.node]);
        store_model(model[placed.node], placed.node, poses);
        if (placed.has_tracks) store_local(local[placed.node], placed.node, poses);
    }
}

} // namespace vitrine::scene::loops

#pragma clang diagnostic pop
