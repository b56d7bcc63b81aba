#include "loaders/fbx/clips/weight_track.hpp"

#include <limits>

#include <gmock/gmock.h>

#include "loaders/fbx/meshes/blend_shapes.hpp"

namespace vitrine::fbx {
namespace {

constexpr double second = 46'186'158'000.0;

// One blend shape channel whose percent runs from `from` to `to` and back, a key each second.
struct Percents {
    Percents(int keys, double from, double to)
    {
        text =
            "; FBX 7.4.0 project file\nObjects: {\n"
            "Deformer: 5, \"SubDeformer::c\", \"BlendShapeChannel\" { }\n"
            "AnimationStack: 20, \"AnimStack::s\", \"\" { }\nAnimationLayer: 21, \"AnimLayer::l\", \"\" { }\n"
            "AnimationCurveNode: 34, \"AnimCurveNode::DeformPercent\", \"\" { }\n"
            "AnimationCurve: 41, \"AnimCurve::\", \"\" { KeyVer: 4009\n" +
            array("KeyTime", keys, [](int i) { return static_cast<double>(i) * second; }) +
            array("KeyValueFloat", keys, [&](int i) { return i % 2 == 0 ? from : to; }) +
            "KeyAttrFlags: *1 { a: 4 }\nKeyAttrDataFloat: *4 { a: 0,0,0,0 }\nKeyAttrRefCount: *1 { a: " +
            std::to_string(keys) +
            " }\n} }\nConnections: {\nC: \"OO\",21,20\nC: \"OO\",34,21\n"
            "C: \"OP\",34,5, \"DeformPercent\"\nC: \"OP\",41,34, \"d|DeformPercent\"\n}\n";
        document.emplace(*Document::parse(std::as_bytes(std::span(text)), limits, warnings));
        animation.emplace(*AnimationStacks::read(*document, limits, warnings));
    }

    // With full weights at 100 / count, 200 / count ...
    std::unique_ptr<Track> track(std::size_t count)
    {
        channel.channel = document->objects_of_type(ObjectType::blend_channel).at(0);
        for (std::size_t i = 1; i <= count; ++i)
            channel.full_weights.push_back(100.0 * static_cast<double>(i) / static_cast<double>(count));
        return *weight_track(*document, *animation, animation->stacks().at(0), std::span(&channel, 1), count);
    }

    static std::string array(std::string_view name, int count, const auto& value)
    {
        std::string out(name);
        out += ": *" + std::to_string(count) + " { a: ";
        for (int i = 0; i < count; ++i)
            out += (i > 0 ? "," : "") + std::to_string(static_cast<std::int64_t>(value(i)));
        return out + " }\n";
    }

    std::string text;
    Limits limits;
    io::WarningLog warnings;
    std::optional<Document> document;
    std::optional<AnimationStacks> animation;
    MorphChannel channel;
};

TEST(FbxWeightTrack, CornersAreAtTargetChanges)
{
    Percents percents(2, 0, 80);
    BakeBudget budget{.samples_left = 1'000'000};
    const auto corners = percents.track(4)->corners(budget);
    ASSERT_EQ(corners.size(), 3u); // 25, 50 and 75 of 80
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(corners[i] / second, 25.0 / 80.0 * static_cast<double>(i + 1), 1e-9);
    EXPECT_FALSE(budget.is_coarse);
}

// Each key crosses every target: a file of a megabyte can request ten billion samples.
TEST(FbxWeightTrack, CornersEndWithTheSampleBudget)
{
    Percents percents(2'000, -1, 101);
    BakeBudget budget{.samples_left = 50'000};
    const auto corners = percents.track(1'000)->corners(budget);
    EXPECT_GT(corners.size(), 500u);
    EXPECT_LT(corners.size(), 5'000u);
    EXPECT_LT(budget.overdrawn, 1'000u);
    EXPECT_TRUE(budget.is_coarse);
}

using testing::ElementsAre;

std::vector<float> ramp(std::vector<double> full_weights, double percent)
{
    std::vector<float> weights(full_weights.size(), 7.0f);
    ramp_weights(full_weights, percent, weights);
    return weights;
}

TEST(FbxRamp, OneTargetGrowsWithThePercent)
{
    EXPECT_THAT(ramp({100.0}, 0.0), ElementsAre(0.0f));
    EXPECT_THAT(ramp({100.0}, 25.0), ElementsAre(0.25f));
    EXPECT_THAT(ramp({100.0}, 150.0), ElementsAre(1.5f));
    EXPECT_THAT(ramp({100.0}, -50.0), ElementsAre(-0.5f));
}

TEST(FbxRamp, GoesFromOneTargetToTheNext)
{
    EXPECT_THAT(ramp({50.0, 100.0}, 25.0), ElementsAre(0.5f, 0.0f));
    EXPECT_THAT(ramp({50.0, 100.0}, 50.0), ElementsAre(1.0f, 0.0f));
    EXPECT_THAT(ramp({50.0, 100.0}, 75.0), ElementsAre(0.5f, 0.5f));
    EXPECT_THAT(ramp({50.0, 100.0}, 100.0), ElementsAre(0.0f, 1.0f));
    EXPECT_THAT(ramp({50.0, 100.0}, 150.0), ElementsAre(-1.0f, 2.0f));
}

TEST(FbxRamp, HasTargetsOnBothSidesOfZero)
{
    EXPECT_THAT(ramp({-100.0, -50.0, 100.0}, -75.0), ElementsAre(0.5f, 0.5f, 0.0f));
    EXPECT_THAT(ramp({-100.0, -50.0, 100.0}, -25.0), ElementsAre(0.0f, 0.5f, 0.0f));
    EXPECT_THAT(ramp({-100.0, -50.0, 100.0}, 50.0), ElementsAre(0.0f, 0.0f, 0.5f));
    EXPECT_THAT(ramp({-50.0}, 25.0), ElementsAre(-0.5f));
    EXPECT_THAT(ramp({0.0}, 25.0), ElementsAre(0.0f));
}

TEST(FbxRamp, StaysFinite)
{
    constexpr float max_float = std::numeric_limits<float>::max();
    EXPECT_THAT(ramp({100.0}, 1e300), ElementsAre(max_float));
    EXPECT_THAT(ramp({1e-300}, -1e300), ElementsAre(-max_float));
    EXPECT_THAT(ramp({50.0, 100.0}, 1e300), ElementsAre(-max_float, max_float));
    EXPECT_THAT(ramp({-1.7e308, 1.7e308}, 1.7e308), ElementsAre(0.0f, 1.0f));
}

} // namespace
} // namespace vitrine::fbx
