#include "loaders/scene/arrays/arrays.hpp"

#include <array>
#include <bit>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/arrays/loops.hpp"
#include "tests/support/plain_loops.hpp"

namespace vitrine::scene {
namespace {

namespace plain = test::plain;

constexpr std::size_t max_size = 67; // more than two blocks of every loop, and every remainder
constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::array finite_extremes = {0.0f,
                                        -0.0f,
                                        std::numeric_limits<float>::denorm_min(),
                                        -std::numeric_limits<float>::denorm_min(),
                                        std::numeric_limits<float>::min(),
                                        std::numeric_limits<float>::max(),
                                        std::numeric_limits<float>::lowest()};

class Numbers {
public:
    explicit Numbers(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

    // Half of them extremes.
    float finite()
    {
        const auto choice = below(2 * std::uint32_t{finite_extremes.size()});
        if (choice < finite_extremes.size()) return finite_extremes[choice];
        return std::uniform_real_distribution<float>(-10.0f, 10.0f)(random_);
    }
    float any()
    {
        const std::array others = {nan, -nan, infinite, -infinite};
        const auto choice = below(24);
        return choice < others.size() ? others[choice] : finite();
    }

    template <class Make>
    auto list(std::size_t size, const Make& make)
    {
        std::vector<decltype(make())> values(size);
        std::ranges::generate(values, make);
        return values;
    }
    std::vector<glm::vec3> points(std::size_t size, bool finite_only)
    {
        const auto number = [&] { return finite_only ? finite() : any(); };
        return list(size, [&] { return glm::vec3(number(), number(), number()); });
    }
    PaletteEntry matrix()
    {
        PaletteEntry entry;
        for (glm::vec4& row : entry.row)
            row = {finite(), finite(), finite(), finite()};
        return entry;
    }

private:
    std::mt19937 random_;
};

// Equal bit by bit; the bits of NaN are not compared.
bool is_same(float a, float b)
{
    return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}
bool is_same(const glm::vec3& a, const glm::vec3& b)
{
    return is_same(a.x, b.x) && is_same(a.y, b.y) && is_same(a.z, b.z);
}
bool is_same(std::span<const glm::vec3> a, std::span<const glm::vec3> b)
{
    return std::ranges::equal(a, b, [](const glm::vec3& x, const glm::vec3& y) { return is_same(x, y); });
}

// Each test runs the function, which uses AVX2 if the processor has it, and its body compiled without.

TEST(Arrays, AllFiniteFindsOneValueAtEveryPlace)
{
    Numbers numbers(1);
    for (std::size_t size = 0; size <= max_size; ++size) {
        std::vector<float> values = numbers.list(size, [&] { return numbers.finite(); });
        EXPECT_TRUE(all_finite(values));
        EXPECT_TRUE(loops::all_finite(values));
        for (float& value : values) {
            for (const float wrong : {nan, -nan, infinite, -infinite, std::bit_cast<float>(0x7F80'0001u)}) {
                const float before = std::exchange(value, wrong);
                EXPECT_FALSE(all_finite(values)) << size;
                EXPECT_FALSE(loops::all_finite(values)) << size;
                value = before;
            }
        }
    }
}

TEST(Arrays, AllFiniteChecksEachComponentOfVectors)
{
    for (glm::length_t c = 0; c < 4; ++c) {
        Array<glm::vec4> values(5, glm::vec4(1.0f));
        EXPECT_TRUE(all_finite(values));
        values[4][c] = nan;
        EXPECT_FALSE(all_finite(values));
    }
    EXPECT_TRUE(all_finite(Array<glm::vec2>()));
}

TEST(Arrays, AllBelowFindsOneIndexAtEveryPlace)
{
    constexpr std::uint32_t max_index = std::numeric_limits<std::uint32_t>::max();
    Numbers numbers(2);
    for (std::size_t size = 0; size <= max_size; ++size) {
        for (const std::uint32_t count : {1u, 1000u, 0x8000'0000u, max_index}) {
            std::vector<std::uint32_t> indices = numbers.list(size, [&] { return numbers.below(count); });
            if (size > 0) indices.back() = count - 1;
            EXPECT_TRUE(all_below(indices, count));
            EXPECT_TRUE(loops::all_below(indices, count));
            for (std::uint32_t& index : indices) {
                for (const std::uint32_t wrong : {count, max_index}) {
                    const std::uint32_t before = std::exchange(index, wrong);
                    EXPECT_FALSE(all_below(indices, count)) << size << " " << count;
                    EXPECT_FALSE(loops::all_below(indices, count)) << size << " " << count;
                    index = before;
                }
            }
        }
    }
    EXPECT_TRUE(all_below({}, 0));
    EXPECT_TRUE(all_below(std::array{max_index}, std::size_t{1} << 32));
    EXPECT_FALSE(all_below(std::array{0u}, 0));
}

TEST(Arrays, IsAscendingFindsOneStepAtEveryPlace)
{
    Numbers numbers(3);
    for (std::size_t size = 0; size <= max_size; ++size) {
        std::vector<std::uint32_t> values = numbers.list(size, [&] { return numbers.below(0xFFFF'FFFFu); });
        std::ranges::sort(values);
        EXPECT_TRUE(is_ascending(values));
        EXPECT_TRUE(loops::is_ascending(values));
        for (std::size_t i = 1; i < size; ++i) {
            std::vector<std::uint32_t> wrong = values;
            wrong[i] = wrong[i - 1] - 1;
            EXPECT_EQ(is_ascending(wrong), plain::is_ascending(wrong)) << size;
            EXPECT_EQ(loops::is_ascending(wrong), plain::is_ascending(wrong)) << size;
        }
    }
    EXPECT_TRUE(is_ascending(std::array{7u, 7u, 7u}));
    EXPECT_FALSE(is_ascending(std::array{0x8000'0000u, 0x7FFF'FFFFu}));
}

TEST(Arrays, MaxValueIsAtEveryPlace)
{
    Numbers numbers(4);
    for (std::size_t size = 0; size <= max_size; ++size) {
        const auto small = [&] { return static_cast<std::uint16_t>(numbers.below(1000)); };
        std::vector<std::uint16_t> values = numbers.list(size, small);
        EXPECT_EQ(max_value(values), plain::max_value(values));
        for (std::uint16_t& value : values) {
            for (const std::uint16_t largest : {std::uint16_t{1000}, std::uint16_t{0xFFFF}}) {
                const std::uint16_t before = std::exchange(value, largest);
                EXPECT_EQ(max_value(values), largest);
                EXPECT_EQ(loops::max_value(std::span<const std::uint16_t>(values)), largest);
                value = before;
            }
        }
    }
}

TEST(Arrays, AddPointsEqualsThePlainLoop)
{
    Numbers numbers(5);
    for (std::size_t size = 0; size <= max_size; ++size) {
        for (int run = 0; run < 40; ++run) {
            const auto points = numbers.points(size, run % 2 == 0);
            Aabb start;
            if (run % 4 < 2) plain::add_points(numbers.points(2, true), start);
            Aabb expected = start, box = start, without_avx2 = start;
            const bool finite = plain::add_points(points, expected);
            EXPECT_EQ(add_points(points, box.min, box.max), finite);
            EXPECT_EQ(loops::add_points(points, without_avx2.min, without_avx2.max), finite);
            EXPECT_TRUE(is_same(box.min, expected.min) && is_same(box.max, expected.max)) << size;
            EXPECT_TRUE(is_same(without_avx2.min, expected.min) && is_same(without_avx2.max, expected.max));
        }
    }
}

// Both zeros are equal, so the order of comparisons decides which one is kept.
TEST(Arrays, AddPointsKeepsTheFirstZero)
{
    Numbers numbers(9);
    const auto zero_or_more = [&] { return std::array{0.0f, -0.0f, 1.0f}[numbers.below(3)]; };
    for (std::size_t size = 1; size <= max_size; ++size) {
        for (const float sign : {1.0f, -1.0f}) {
            const auto points = numbers.list(
                size, [&] { return sign * glm::vec3(zero_or_more(), zero_or_more(), zero_or_more()); });
            Aabb expected, box, without_avx2;
            plain::add_points(points, expected);
            add_points(points, box.min, box.max);
            loops::add_points(points, without_avx2.min, without_avx2.max);
            EXPECT_TRUE(is_same(box.min, expected.min) && is_same(box.max, expected.max)) << size;
            EXPECT_TRUE(is_same(without_avx2.min, expected.min) && is_same(without_avx2.max, expected.max));
        }
    }
}

TEST(Arrays, TransformPointsOfNegativeZerosIsZero)
{
    PaletteEntry entry;
    for (glm::vec4& row : entry.row)
        row = glm::vec4(-0.0f);
    const std::vector<glm::vec3> points(20, glm::vec3(1.0f));
    std::vector<glm::vec3> expected(20), out(20);
    plain::transform_points(entry, points, expected);
    transform_points(to_joint_matrix(entry.row), points, out);
    EXPECT_TRUE(is_same(out, expected));
}

TEST(Arrays, TransformPointsEqualsThePlainLoop)
{
    Numbers numbers(6);
    for (std::size_t size = 0; size <= max_size; ++size) {
        const PaletteEntry entry = numbers.matrix();
        const JointMatrix matrix = to_joint_matrix(entry.row);
        auto points = numbers.points(size, false);
        std::vector<glm::vec3> expected(size), out(size), without_avx2(size);
        plain::transform_points(entry, points, expected);
        transform_points(matrix, points, out);
        EXPECT_TRUE(is_same(out, expected)) << size;
        loops::transform_points(matrix, points, without_avx2);
        EXPECT_TRUE(is_same(without_avx2, expected)) << size;
        transform_points(matrix, points, points);
        EXPECT_TRUE(is_same(points, expected)) << size;
    }
}

struct SkinnedPoints {
    SkinnedPoints(Numbers& numbers, std::size_t vertices)
        : palette(numbers.list(7, [&] { return numbers.matrix(); })), points(numbers.points(vertices, false))
    {
        influences.first = {0};
        for (std::size_t v = 0; v < vertices; ++v) {
            for (std::uint32_t i = numbers.below(6); i > 0; --i) {
                influences.joints.push_back(static_cast<std::uint16_t>(numbers.below(7)));
                influences.weights.push_back(numbers.finite());
            }
            influences.first.push_back(static_cast<std::uint32_t>(influences.joints.size()));
        }
        for (const PaletteEntry& entry : palette)
            matrices.push_back(to_joint_matrix(entry.row));
    }

    std::vector<PaletteEntry> palette;
    std::vector<JointMatrix> matrices;
    Influences influences;
    std::vector<glm::vec3> points;
};

TEST(Arrays, SkinPointsEqualsThePlainLoop)
{
    Numbers numbers(7);
    for (std::size_t size = 0; size <= max_size; ++size) {
        SkinnedPoints skin(numbers, size);
        std::vector<glm::vec3> expected(size), out(size), without_avx2(size);
        plain::skin_points(skin.influences, skin.palette, 0, skin.points, expected);
        skin_points(skin.influences, skin.matrices, 0, skin.points, out);
        EXPECT_TRUE(is_same(out, expected)) << size;
        loops::skin_points(skin.influences, skin.matrices, 0, skin.points, without_avx2);
        EXPECT_TRUE(is_same(without_avx2, expected)) << size;
        const std::size_t first = size / 3;
        const auto part = std::span(skin.points).subspan(first);
        skin_points(skin.influences, skin.matrices, first, part, part);
        EXPECT_TRUE(is_same(part, std::span(expected).subspan(first))) << size;
    }
}

} // namespace
} // namespace vitrine::scene
