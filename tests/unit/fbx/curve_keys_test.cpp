#include <bit>
#include <tuple>
#include <variant>

#include <gtest/gtest.h>

#include "loaders/fbx/curves/curve_keys.hpp"
#include "loaders/fbx/curves/tangents.hpp"

using namespace vitrine::fbx;
using namespace std::string_view_literals;

namespace {

constexpr double ticks = 46'186'158'000.0;
constexpr std::int64_t second = 46'186'158'000;

struct Stored {
    std::vector<std::int64_t> times;
    std::vector<double> values;
    std::vector<std::int32_t> flags;
    std::vector<float> data;
    std::vector<std::int32_t> runs;

    std::vector<CurveKey> keys() const
    {
        return *keys_from_arrays({times, values, flags, data, runs}, ticks);
    }
};

double slope(double per_tick)
{
    return per_tick * ticks;
}

TEST(FbxKeyArrays, SharedAttributesAreSpreadOverTheirRuns)
{
    const Stored stored{{0, second, 2 * second, 3 * second},
                        {1, 2, 3, 4},
                        {0x2, 0x102, 0x4},
                        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                        {2, 1, 1}};
    const auto keys = stored.keys();
    ASSERT_EQ(keys.size(), 4u);
    EXPECT_EQ(keys[1].interpolation, KeyInterpolation::constant);
    EXPECT_EQ(keys[2].interpolation, KeyInterpolation::constant_next);
    EXPECT_EQ(keys[3].interpolation, KeyInterpolation::linear);
    EXPECT_EQ(keys[3].time, 3.0 * ticks);
    EXPECT_EQ(keys[3].value, 4);
}

// Keys and results as Maya writes them for one curve: automatic clamped tangents in version 7700, the
// resulting slopes in version 6100.
TEST(FbxKeyArrays, AutomaticTangentsDoNotPassTheNeighbors)
{
    const float first_weights = std::bit_cast<float>(218438717);
    const float third_weights = std::bit_cast<float>(506989829);
    const Stored stored{{1924423250, 21168655750, 38488465000, 57732697500},
                        {0, 0.7466079, 9.448743, 10},
                        {50332680, 50356488, 50356488, 1032},
                        {6.86191f, 5.37558f, first_weights, 0, 0, 3.96905f, std::bit_cast<float>(218434821),
                         0, 0, -6.61502f, third_weights, 0, -6.61503f, 0, 0, 0},
                        {1, 1, 1, 1}};
    const auto keys = stored.keys();
    EXPECT_NEAR(slope(keys[0].right_slope), 6.86191, 1e-5);
    EXPECT_NEAR(keys[0].right_weight, 0.7229, 1e-3);
    EXPECT_NEAR(slope(keys[0].next_left_slope), 5.37558, 2e-3);
    EXPECT_NEAR(slope(keys[1].right_slope), 5.37558, 2e-3);
    EXPECT_NEAR(slope(keys[1].next_left_slope), 3.96905, 2e-3);
    EXPECT_NEAR(slope(keys[2].right_slope), 3.96905, 2e-3);
    EXPECT_NEAR(keys[2].next_left_weight, 0.7736, 1e-3);
    EXPECT_NEAR(slope(keys[2].next_left_slope), -6.61502, 1e-4);
}

TEST(FbxKeyArrays, BadArraysStillMakeFiniteKeys)
{
    const Stored none{{0, second}, {1, 2}, {}, {}, {}};
    EXPECT_EQ(none.keys()[0].interpolation, KeyInterpolation::linear);
    const Stored shuffled{{second, 0}, {1, 2}, {0x8}, {}, {-5, 9}};
    EXPECT_EQ(shuffled.keys()[0].value, 2);
    const Stored not_a_number{{0}, {std::bit_cast<double>(~0ull)}, {0x408}, {1e38f, 0, 0, 0}, {1}};
    EXPECT_EQ(not_a_number.keys()[0].value, 0);
    EXPECT_EQ(not_a_number.keys()[0].right_slope, 0);
}

TEST(FbxTangents, TensionContinuityAndBiasOfZeroGoStraightAcross)
{
    const KeyNeighbors key{
        .previous_time = 0, .time = 1, .next_time = 2, .previous_value = 0, .value = 1, .next_value = 4};
    EXPECT_DOUBLE_EQ(tcb_slopes(key, 0, 0, 0).left, 2);
    EXPECT_DOUBLE_EQ(tcb_slopes(key, 0, 0, 0).right, 2);
    EXPECT_DOUBLE_EQ(tcb_slopes(key, 1, 0, 0).right, 0);
    EXPECT_DOUBLE_EQ(tcb_slopes(key, 0, 0, 1).right, 1);
    EXPECT_DOUBLE_EQ(tcb_slopes(key, 0, -1, 0).left, 1);
    EXPECT_DOUBLE_EQ(tcb_slopes(key, 0, -1, 0).right, 3);
}

TEST(FbxTangents, BiasMovesAnAutomaticSlopeToOneSide)
{
    const KeyNeighbors key{
        .previous_time = 0, .time = 1, .next_time = 3, .previous_value = 0, .value = 1, .next_value = 7};
    // Across 7/3, left 1, right 3, at one third: half of each.
    const double middle = 0.5 * 7.0 / 3.0 + 0.5 * (1.0 * 2.0 / 3.0 + 3.0 / 3.0);
    EXPECT_NEAR(auto_slope(key, 0, 0), middle, 1e-12);
    EXPECT_NEAR(auto_slope(key, 100, 0), 3, 1e-12);
    EXPECT_NEAR(auto_slope(key, -100, 0), 1, 1e-12);
    EXPECT_NEAR(auto_slope(key, 0, key_flag::time_independent), 7.0 / 3.0, 1e-12);
    EXPECT_NEAR(auto_slope(key, 100, key_flag::time_independent), 3, 1e-12) << "time counts with a bias";
    EXPECT_NEAR(auto_slope(key, 100, key_flag::time_independent | key_flag::clamp_progressive), 7.0 / 3.0,
                1e-12)
        << "nor does the bias where clamping is progressive";
    EXPECT_NEAR(auto_slope(key, 600, 0), middle + (3 - middle) * 6 + 40, 1e-9);
}

TEST(FbxTangents, ProgressiveClampingNeedsTimeIndependence)
{
    const KeyNeighbors peak{
        .previous_time = 0, .time = 1, .next_time = 2, .previous_value = 0, .value = 5, .next_value = 2};
    EXPECT_NEAR(auto_slope(peak, 0, key_flag::clamp_progressive), 1, 1e-12);
    EXPECT_EQ(auto_slope(peak, 0, key_flag::clamp_progressive | key_flag::time_independent), 0.0);
}

// The middle one of three segments, from (0.5, 5) to (1.25, -3); the previous key is 0 at 0, the next is 2 at
// 2. The second key's type affects its incoming slope only when it is cubic itself.
TEST(FbxKeyArrays, IncomingSlopesOfPlainKeysFollowThePreviousCubicKey)
{
    constexpr std::int32_t cubic = 0x8, automatic = 0x108, tcb = 0x208, user = 0x408, line = 0x4, step = 0x2;
    const auto left_slope = [](std::int32_t first, std::int32_t next, float left, float right = 0.0f) {
        const Stored stored{{0, second / 2, second * 5 / 4, second * 2},
                            {0, 5, -3, 2},
                            {line, first, next, line},
                            {0, 0, 0, 0, 7, left, 0, 0, right, 0, 0, 0, 0, 0, 0, 0},
                            {1, 1, 1, 1}};
        return slope(stored.keys()[1].next_left_slope);
    };
    const double into = -8 / 0.75, out_of = 5 / 0.75;
    for (const std::int32_t next : {line, step}) {
        EXPECT_NEAR(left_slope(automatic, next, 0), 0.5 * (into + out_of), 1e-9);
        EXPECT_NEAR(left_slope(automatic, next, -60), -2 + 0.6 * (out_of + 2), 1e-9) << "a bias, mirrored";
        EXPECT_NEAR(left_slope(user, next, -9), -9, 1e-9);
        EXPECT_EQ(left_slope(cubic, next, -9), 0) << "no mode of tangents";
        EXPECT_EQ(left_slope(user | automatic, next, -9), 0) << "two of them";
    }
    EXPECT_NEAR(left_slope(tcb, line, 0), out_of, 1e-9);
    EXPECT_EQ(left_slope(tcb, step, 0), 0);
    EXPECT_NEAR(left_slope(tcb, user, 0, 3), 3, 1e-9) << "the right slope is used";
}

// A user tangent's left slope is stored in the previous key, where a TCB key stores its continuity.
TEST(FbxKeyArrays, LastKeyAfterOneWithTensionHasAFlatSlope)
{
    const auto left_slope = [](std::int32_t first) {
        const Stored stored{{0, second}, {0, 5}, {first, 0x408}, {0.5f, 4, 0, 0, 3, 0, 0, 0}, {1, 1}};
        return slope(stored.keys()[0].next_left_slope);
    };
    EXPECT_NEAR(left_slope(0x408), 4, 1e-9);
    EXPECT_EQ(left_slope(0x208), 0);
}

// The same applies to a bias.
TEST(FbxKeyArrays, AutomaticKeyAfterTensionKeyHasItsRightBiasOnly)
{
    const auto slopes = [](std::int32_t automatic, float bias) {
        const Stored stored{{0, second * 4 / 5, second * 19 / 10, second * 13 / 5},
                            {1, 4, 2, 3},
                            {0x208, automatic, 0x408, 0x4},
                            {0.3f, 0.2f, 0.1f, 0, bias, -20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                            {1, 1, 1, 1}};
        const auto keys = stored.keys();
        return std::pair(slope(keys[0].next_left_slope), slope(keys[1].right_slope));
    };
    const double across = 0.965909, biased = -0.426137, line = 3 / 0.8;
    for (const auto& [flags, bias, left, right] :
         {std::tuple(0x108, 0.0f, across, across), std::tuple(0x108, 50.0f, biased, biased),
          std::tuple(0x908, 0.0f, line, across), std::tuple(0x908, 50.0f, line, biased)}) {
        EXPECT_NEAR(slopes(flags, bias).first, left, 1e-6) << flags << ' ' << bias;
        EXPECT_NEAR(slopes(flags, bias).second, right, 1e-6) << flags << ' ' << bias;
    }
}

TEST(FbxTangents, ClampedSlopesAreFlatBesideAnEqualNeighbor)
{
    const KeyNeighbors key{
        .previous_time = 0, .time = 1, .next_time = 2, .previous_value = 1, .value = 1, .next_value = 7};
    EXPECT_EQ(auto_slope(key, 0, key_flag::clamp | key_flag::time_independent), 0);
    EXPECT_NE(auto_slope(key, 0, key_flag::time_independent), 0);
    EXPECT_EQ(auto_slope(key, 0, key_flag::time_independent | key_flag::clamp_progressive), 0);
}

std::vector<Value> list(std::initializer_list<std::variant<std::int64_t, double, std::string_view>> items)
{
    std::vector<Value> values;
    for (const auto& item : items)
        std::visit([&](auto v) { values.emplace_back(v); }, item);
    return values;
}

TEST(FbxKeyList, ReadsEveryKindOfKey)
{
    const auto values =
        list({std::int64_t{0}, 1.0,        "L"sv, second, 2.0,   "C"sv, "s"sv, 2 * second, 3.0,        "C"sv,
              "n"sv,           3 * second, 4.0,   "U"sv,  "s"sv, 5.0,   6.0,   "a"sv,      0.25,       0.5,
              4 * second,      5.0,        "U"sv, "b"sv,  7.0,   8.0,   "r"sv, 0.75,       5 * second, 6.0,
              "U"sv,           "a"sv,      "n"sv});
    const auto read = keys_from_list(values, 4005, ticks);
    ASSERT_TRUE(read) << read.error().detail;
    const auto& keys = *read;
    ASSERT_EQ(keys.size(), 6u);
    EXPECT_EQ(keys[0].interpolation, KeyInterpolation::linear);
    EXPECT_EQ(keys[1].interpolation, KeyInterpolation::constant);
    EXPECT_EQ(keys[2].interpolation, KeyInterpolation::constant_next);
    EXPECT_EQ(keys[3].interpolation, KeyInterpolation::cubic);
    EXPECT_NEAR(slope(keys[3].right_slope), 5, 1e-9);
    EXPECT_NEAR(slope(keys[3].next_left_slope), 6, 1e-9);
    EXPECT_EQ(keys[3].right_weight, 0.25f);
    EXPECT_EQ(keys[3].next_left_weight, 0.5f);
    EXPECT_EQ(keys[4].right_weight, 0.75f);
    EXPECT_NEAR(keys[4].next_left_weight, 1.0 / 3.0, 1e-6);
    EXPECT_EQ(keys[5].value, 6);
}

TEST(FbxKeyList, AutomaticKeysMayHaveBiases)
{
    for (const auto mode : {"p"sv, "q"sv}) {
        const auto values =
            list({std::int64_t{0}, 0.0, "L"sv, second, 1.0, "U"sv, mode,  100.0, 100.0,      "n"sv, "n"sv,
                  3 * second,      7.0, "U"sv, mode,   0.0, 0.0,   "n"sv, "n"sv, 4 * second, 0.0,   "L"sv});
        const auto keys = keys_from_list(values, 4005, ticks);
        ASSERT_TRUE(keys);
        EXPECT_NEAR(slope((*keys)[1].right_slope), 3, 1e-9) << "the next segment's";
        EXPECT_NEAR(slope((*keys)[1].next_left_slope), 3, 1e-9) << "mirrored: the segment's itself";
    }
}

TEST(FbxKeyList, OlderVersionsLeaveLettersOut)
{
    const auto constant = list({std::int64_t{0}, 1.0, "C"sv, second, 2.0, "C"sv});
    EXPECT_EQ(keys_from_list(constant, 4003, ticks)->size(), 2u);
    const auto cubic = list({std::int64_t{0}, 1.0, "U"sv, "s"sv, 3.0, 4.0, second, 2.0, "U"sv, "a"sv});
    EXPECT_EQ(keys_from_list(cubic, 4003, ticks)->size(), 2u);
    EXPECT_EQ(default_key_version(5000), 4004);
    EXPECT_EQ(default_key_version(6100), 4005);
}

TEST(FbxKeyList, BinaryFilesHoldTheLettersCodes)
{
    const auto values = list({std::int64_t{0}, 1.0, std::int64_t{'L'}, second, 2.0, std::int64_t{'L'}});
    const auto keys = keys_from_list(values, 4005, ticks);
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->size(), 2u);
    EXPECT_EQ((*keys)[1].interpolation, KeyInterpolation::linear);
}

TEST(FbxKeyList, RejectsUnreadableFiles)
{
    EXPECT_EQ(keys_from_list(list({std::int64_t{0}, 1.0, "X"sv}), 4005, ticks).error().code,
              vitrine::LoadErrc::malformed);
    EXPECT_EQ(keys_from_list(list({std::int64_t{0}, 1.0, "U"sv, "s"sv, 1.0}), 4005, ticks).error().code,
              vitrine::LoadErrc::truncated);
}

} // namespace
