#include "loaders/md3/tags.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/md3/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

md3::TagPlacement placed(const glm::vec3& forward, const glm::vec3& left, const glm::vec3& up)
{
    return md3::place({.name = "tag_a", .origin = {1, 2, 3}, .axes = glm::mat3(forward, left, up)});
}

glm::vec3 column(const md3::TagPlacement& placement, int i)
{
    return glm::vec3(scene::to_matrix(placement.trs)[i]);
}

bool near_tag(const glm::vec3& a, const glm::vec3& b)
{
    return glm::distance(a, b) < 1e-5f;
}

} // namespace

TEST(Md3Tag, IsOfUnitLengthAsInTheGame)
{
    const auto turned = placed({0, 1.41f, 0}, {-1.41f, 0, 0}, {0, 0, 0.7f});
    EXPECT_TRUE(near_tag(column(turned, 0), {0, 1, 0}));
    EXPECT_TRUE(near_tag(column(turned, 1), {-1, 0, 0}));
    EXPECT_TRUE(near_tag(column(turned, 2), {0, 0, 1}));
    EXPECT_EQ(turned.trs.translation, glm::vec3(1, 2, 3));
    EXPECT_EQ(turned.trs.scale, glm::vec3(1.0f));
    EXPECT_FALSE(turned.sheared);
}

TEST(Md3Tag, ThatMirrorsKeepsItsAxes)
{
    const auto mirrored = placed({1, 0, 0}, {0, 1, 0}, {0, 0, -1});
    EXPECT_TRUE(near_tag(column(mirrored, 0), {1, 0, 0}));
    EXPECT_TRUE(near_tag(column(mirrored, 1), {0, 1, 0}));
    EXPECT_TRUE(near_tag(column(mirrored, 2), {0, 0, -1}));
    const auto other = placed({1, 0, 0}, {0, -1, 0}, {0, 0, 1});
    EXPECT_TRUE(near_tag(column(other, 1), {0, -1, 0}));
    EXPECT_TRUE(near_tag(column(other, 2), {0, 0, 1}));
}

TEST(Md3Tag, IsStraightened)
{
    const auto sheared = placed({1, 0, 0}, {0.5f, 1, 0}, {0, 0, 1});
    EXPECT_TRUE(sheared.sheared);
    EXPECT_TRUE(near_tag(column(sheared, 0), {1, 0, 0}));
    EXPECT_TRUE(near_tag(column(sheared, 1), {0, 1, 0}));
}

TEST(Md3Tag, WithoutAnAxisKeepsTheOthers)
{
    for (const auto& [forward, left, up] : {std::tuple(glm::vec3(0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)),
                                            std::tuple(glm::vec3(1, 0, 0), glm::vec3(0), glm::vec3(0, 0, 1)),
                                            std::tuple(glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0)),
                                            std::tuple(glm::vec3(0), glm::vec3(0), glm::vec3(0))}) {
        const auto repaired = placed(forward, left, up);
        EXPECT_NEAR(glm::length(repaired.trs.rotation), 1.0f, 1e-5f);
        EXPECT_TRUE(near_tag(column(repaired, 0), {1, 0, 0}));
        EXPECT_TRUE(near_tag(column(repaired, 1), {0, 1, 0}));
        EXPECT_TRUE(near_tag(column(repaired, 2), {0, 0, 1}));
    }
}

// As the game looks them up.
TEST(Md3Tag, IsFoundByItsNameInEachFrame)
{
    Md3Model model;
    const Md3Tag a{"tag_a", {1, 0, 0}}, b{"tag_b", {2, 0, 0}}, other{"tag_c", {3, 0, 0}};
    model.frames = 3;
    for (auto& frames : model.surfaces)
        frames.frames.push_back(frames.frames[0]);
    model.tags = {{a, b}, {b, a}, {other, a}};
    const auto scene = valid(load_model(model));
    const auto x_of = [&](std::string_view name, std::size_t frame) {
        const auto node = std::ranges::find(scene.nodes, name, &scene::Node::name) - scene.nodes.begin();
        scene::Pose pose;
        scene::sample_pose(scene, 0, static_cast<double>(frame) / 15.0, pose);
        return std::lround(pose.model.at(static_cast<std::size_t>(node))[3].x);
    };
    for (const std::size_t frame : {0u, 1u, 2u})
        EXPECT_EQ(x_of("tag_a", frame), 1) << frame;
    EXPECT_EQ(x_of("tag_b", 1), 2);
    EXPECT_EQ(x_of("tag_b", 2), 1) << "it is not there: the tag in its place, with a warning";
    EXPECT_EQ(codes(scene), "md3_tag missing_image");
}

TEST(Md3Tag, AnimatedMirroringHasAChannel)
{
    const md3::Tag plain{.name = "tag_a", .origin = {}, .axes = glm::mat3(1.0f)};
    md3::Tag mirrored = plain;
    mirrored.axes[2].z = -1.0f;
    md3::Md3File file;
    file.frame_count = 2;
    file.tag_count = 1;
    file.tags = {plain, mirrored};
    EXPECT_EQ(md3::tag_channels(file, 0, 7, {0, 1}, {0.0f, 0.1f}).size(), 3u);
    file.tags = {plain, plain};
    const auto channels = md3::tag_channels(file, 0, 7, {0, 1, 5}, {0.0f, 0.1f, 0.2f});
    ASSERT_EQ(channels.size(), 2u);
    EXPECT_EQ(channels[0].node, 7u);
    EXPECT_EQ(channels[0].values.size(), 9u);
    EXPECT_EQ(channels[1].values.size(), 12u);
}

TEST(Md3Tag, AxesThatAreNotPerpendicularAreReported)
{
    const auto codes_of = [](float left_x) {
        Md3Model model;
        const Md3Tag tag{"tag_a", {1, 0, 0}, {1, 0, 0, left_x, 1, 0, 0, 0, 1}};
        model.tags = {{tag}, {tag}};
        return codes(valid(load_model(model)));
    };
    EXPECT_NE(codes_of(0.1f).find("md3_tag_sheared"), std::string::npos);
    EXPECT_EQ(codes_of(0.01f).find("md3_tag_sheared"), std::string::npos) << "less than a degree";
}
