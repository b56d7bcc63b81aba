#include "tests/bench/scene/highway_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/scene/highway_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "loaders/scene/arrays/loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace vitrine::bench::highway {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr float infinite = std::numeric_limits<float>::infinity();

const char* instruction_set()
{
    return hwy::TargetName(HWY_TARGET);
}

template <class D, class V>
HWY_ATTR V non_finite_bits(D d, V bits)
{
    return hn::Add(hn::And(bits, hn::Set(d, 0x7FFF'FFFFu)), hn::Set(d, 0x0080'0000u));
}

template <class D, class V>
HWY_ATTR bool has_no_sign_bit(D d, V bits)
{
    return hn::AllTrue(d, hn::Eq(hn::ShiftRight<31>(bits), hn::Zero(d)));
}

bool all_finite(std::span<const float> values)
{
    const hn::ScalableTag<std::uint32_t> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto* const numbers = reinterpret_cast<const std::uint32_t*>(values.data());
    auto a = hn::Zero(d), b = a, c = a, e = a;
    std::size_t i = 0;
    for (; i + 4 * lanes <= values.size(); i += 4 * lanes) {
        a = hn::Or(a, non_finite_bits(d, hn::LoadU(d, numbers + i)));
        b = hn::Or(b, non_finite_bits(d, hn::LoadU(d, numbers + i + lanes)));
        c = hn::Or(c, non_finite_bits(d, hn::LoadU(d, numbers + i + 2 * lanes)));
        e = hn::Or(e, non_finite_bits(d, hn::LoadU(d, numbers + i + 3 * lanes)));
    }
    return has_no_sign_bit(d, hn::Or(hn::Or(a, b), hn::Or(c, e))) &&
           scene::loops::all_finite(values.subspan(i));
}

// The largest of all values, four vectors at a time.
template <class T>
HWY_ATTR T largest(std::span<const T> values)
{
    const hn::ScalableTag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    auto a = hn::Zero(d), b = a, c = a, e = a;
    std::size_t i = 0;
    for (; i + 4 * lanes <= values.size(); i += 4 * lanes) {
        a = hn::Max(a, hn::LoadU(d, values.data() + i));
        b = hn::Max(b, hn::LoadU(d, values.data() + i + lanes));
        c = hn::Max(c, hn::LoadU(d, values.data() + i + 2 * lanes));
        e = hn::Max(e, hn::LoadU(d, values.data() + i + 3 * lanes));
    }
    T out = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(a, b), hn::Max(c, e))));
    for (; i < values.size(); ++i)
        out = std::max(out, values[i]);
    return out;
}

bool all_below(std::span<const std::uint32_t> indices, std::uint32_t count)
{
    return indices.empty() || largest(indices) < count;
}

std::uint16_t max_value(std::span<const std::uint16_t> values)
{
    return largest(values);
}

bool is_ascending(std::span<const std::uint32_t> values)
{
    const hn::ScalableTag<std::uint32_t> d;
    const std::size_t lanes = hn::Lanes(d);
    const std::uint32_t* const numbers = values.data();
    auto failed = hn::MaskFromVec(hn::Zero(d)), others = failed;
    std::size_t i = 1;
    for (; i + 2 * lanes <= values.size(); i += 2 * lanes) {
        failed = hn::Or(failed, hn::Gt(hn::LoadU(d, numbers + i - 1), hn::LoadU(d, numbers + i)));
        others =
            hn::Or(others, hn::Gt(hn::LoadU(d, numbers + i + lanes - 1), hn::LoadU(d, numbers + i + lanes)));
    }
    return hn::AllFalse(d, hn::Or(failed, others)) && scene::loops::is_ascending(values.subspan(i - 1));
}

bool add_points(std::span<const glm::vec3> points, glm::vec3& min, glm::vec3& max)
{
    const hn::ScalableTag<float> d;
    const hn::RebindToUnsigned<decltype(d)> bits_of;
    const std::size_t lanes = hn::Lanes(d);
    auto x_low = hn::Set(d, infinite), y_low = x_low, z_low = x_low;
    auto x_high = hn::Set(d, -infinite), y_high = x_high, z_high = x_high;
    auto bits = hn::Zero(bits_of);
    std::size_t i = 0;
    for (; i + lanes <= points.size(); i += lanes) { // x, y and z: three vectors as stored, not by axis
        const auto x = hn::LoadU(d, &points[i].x), y = hn::LoadU(d, &points[i].x + lanes),
                   z = hn::LoadU(d, &points[i].x + 2 * lanes);
        x_low = hn::Min(x, x_low), y_low = hn::Min(y, y_low), z_low = hn::Min(z, z_low);
        x_high = hn::Max(x, x_high), y_high = hn::Max(y, y_high), z_high = hn::Max(z, z_high);
        bits = hn::Or(bits, hn::Or(non_finite_bits(bits_of, hn::BitCast(bits_of, x)),
                                   hn::Or(non_finite_bits(bits_of, hn::BitCast(bits_of, y)),
                                          non_finite_bits(bits_of, hn::BitCast(bits_of, z)))));
    }
    HWY_ALIGN glm::vec3 low[HWY_MAX_BYTES / 4], high[HWY_MAX_BYTES / 4];
    hn::StoreU(x_low, d, &low[0].x), hn::StoreU(y_low, d, &low[0].x + lanes);
    hn::StoreU(z_low, d, &low[0].x + 2 * lanes), hn::StoreU(x_high, d, &high[0].x);
    hn::StoreU(y_high, d, &high[0].x + lanes), hn::StoreU(z_high, d, &high[0].x + 2 * lanes);
    for (std::size_t k = 0; k < lanes; ++k)
        min = glm::min(min, low[k]), max = glm::max(max, high[k]);
    return scene::loops::add_points(points.subspan(i), min, max) && has_no_sign_bit(bits_of, bits);
}

void transform_points(const scene::JointMatrix& matrix, std::span<const glm::vec3> points,
                      std::span<glm::vec3> out)
{
    std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> f;
    const std::size_t lanes = hn::Lanes(d);
    const auto& m = matrix.columns;
    for (; i + lanes <= points.size(); i += lanes) {
        hn::Vec<decltype(f)> x, y, z;
        hn::LoadInterleaved3(f, &points[i].x, x, y, z);
        const auto to_x = hn::PromoteTo(d, x), to_y = hn::PromoteTo(d, y), to_z = hn::PromoteTo(d, z);
        const auto row = [&](std::size_t r) HWY_ATTR {
            return hn::DemoteTo(
                f, hn::Add(hn::Add(hn::Mul(hn::Set(d, m[0][r]), to_x), hn::Mul(hn::Set(d, m[1][r]), to_y)),
                           hn::Add(hn::Mul(hn::Set(d, m[2][r]), to_z), hn::Set(d, m[3][r]))));
        };
        hn::StoreInterleaved3(row(0), row(1), row(2), f, &out[i].x);
    }
#endif
    scene::loops::transform_points(matrix, points.subspan(i), out.subspan(i));
}

// A column of a matrix is a vector of four, or two of two.
void skin_points(const scene::Influences& influences, std::span<const scene::JointMatrix> palette,
                 std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    const hn::CappedTag<double, 4> d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t v = 0; v < points.size(); ++v) {
        const glm::vec3 point = points[v];
        HWY_ALIGN double moved[4];
        for (std::size_t r = 0; r < 3; r += lanes) {
            auto a = hn::Zero(d), b = a, c = a, e = a;
            for (std::size_t i = influences.first[v]; i < influences.first[v + 1]; ++i) {
                const auto& columns = palette[influences.joints[i]].columns;
                const auto weight = hn::Set(d, double{influences.weights[i]});
                a = hn::Add(a, hn::Mul(hn::LoadU(d, columns[0] + r), weight));
                b = hn::Add(b, hn::Mul(hn::LoadU(d, columns[1] + r), weight));
                c = hn::Add(c, hn::Mul(hn::LoadU(d, columns[2] + r), weight));
                e = hn::Add(e, hn::Mul(hn::LoadU(d, columns[3] + r), weight));
            }
            a = hn::Mul(a, hn::Set(d, double{point.x}));
            b = hn::Mul(b, hn::Set(d, double{point.y}));
            c = hn::Mul(c, hn::Set(d, double{point.z}));
            hn::StoreU(hn::Add(hn::Add(a, b), hn::Add(c, e)), d, moved + r);
        }
        out[v] = {static_cast<float>(moved[0]), static_cast<float>(moved[1]), static_cast<float>(moved[2])};
    }
}

} // namespace HWY_NAMESPACE
} // namespace vitrine::bench::highway
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::bench::highway {

HWY_EXPORT(instruction_set);
HWY_EXPORT(all_finite);
HWY_EXPORT(all_below);
HWY_EXPORT(is_ascending);
HWY_EXPORT(max_value);
HWY_EXPORT(add_points);
HWY_EXPORT(transform_points);
HWY_EXPORT(skin_points);

const char* instruction_set()
{
    return HWY_DYNAMIC_DISPATCH(instruction_set)();
}

bool all_finite(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(all_finite)(values);
}

bool all_below(std::span<const std::uint32_t> indices, std::uint32_t count)
{
    return HWY_DYNAMIC_DISPATCH(all_below)(indices, count);
}

bool is_ascending(std::span<const std::uint32_t> values)
{
    return HWY_DYNAMIC_DISPATCH(is_ascending)(values);
}

std::uint16_t max_value(std::span<const std::uint16_t> values)
{
    return HWY_DYNAMIC_DISPATCH(max_value)(values);
}

bool add_points(std::span<const glm::vec3> points, glm::vec3& min, glm::vec3& max)
{
    return HWY_DYNAMIC_DISPATCH(add_points)(points, min, max);
}

void transform_points(const scene::JointMatrix& matrix, std::span<const glm::vec3> points,
                      std::span<glm::vec3> out)
{
    HWY_DYNAMIC_DISPATCH(transform_points)(matrix, points, out);
}

void skin_points(const scene::Influences& influences, std::span<const scene::JointMatrix> palette,
                 std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    HWY_DYNAMIC_DISPATCH(skin_points)(influences, palette, points, out);
}

} // namespace vitrine::bench::highway
#endif
