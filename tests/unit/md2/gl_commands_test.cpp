#include <cmath>

#include <gmock/gmock.h>

#include "tests/unit/md2/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

struct Corner {
    float s, t;
    std::int32_t vertex;
};

std::string command(std::int32_t count, const std::vector<Corner>& corners)
{
    std::string bytes;
    append(bytes, count);
    for (const Corner& corner : corners)
        append(bytes, corner);
    return bytes;
}

const std::string end = command(0, {});
const std::vector<Corner> four{{0, 0, 0}, {0.5f, 0, 1}, {0, 0.5f, 2}, {1, 1, 3}};

Md2Model with_commands_alone(std::string commands)
{
    Md2Model model;
    model.triangles.clear();
    model.coords.clear();
    model.commands = std::move(commands);
    return model;
}

scene::Scene load(std::string commands)
{
    return valid(load_model(with_commands_alone(std::move(commands))));
}

std::vector<glm::vec3> corners(const scene::Scene& scene)
{
    std::vector<glm::vec3> out;
    for (const std::uint32_t index : scene.meshes.at(0).indices)
        out.push_back(scene.meshes[0].positions[index]);
    return out;
}

// The triangles of the sample are those of a strip over its four vertices, except for the second's first
// corner.
TEST(Md2Commands, AreReadWhereThereAreNoTriangles)
{
    Md2Model same;
    same.triangles = {{0, 1, 2, 0, 1, 2}, {2, 1, 3, 2, 1, 3}};
    same.skin_width = same.skin_height = 64;
    same.coords = {{0, 0}, {32, 0}, {0, 32}, {64, 64}};
    const auto expected = load_model(same);
    ASSERT_TRUE(expected);
    const auto strip = load(command(4, four) + end);
    EXPECT_EQ(corners(strip), corners(*expected));
    EXPECT_EQ(strip.source_polygons, 2u);
    EXPECT_EQ(strip.clips.size(), 1u);
    ASSERT_EQ(strip.meshes[0].uv0.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(glm::distance(strip.meshes[0].uv0[i], expected->meshes[0].uv0[i]), 1e-4f);
}

TEST(Md2Commands, FansTurnAboutTheirFirstVertex)
{
    Md2Model same;
    same.triangles = {{0, 1, 2, 0, 1, 2}, {0, 2, 3, 0, 2, 3}};
    const auto expected = load_model(same);
    ASSERT_TRUE(expected);
    EXPECT_EQ(corners(load(command(-4, four))), corners(*expected)); // a missing end is accepted
    EXPECT_EQ(load(command(-3, {four[0], four[1], four[2]}) + command(3, {four[1], four[2], four[3]}) + end)
                  .source_polygons,
              2u);
    EXPECT_EQ(load(command(2, {four[0], four[1]}) + end).source_polygons, 0u);
}

TEST(Md2Commands, AreNotReadBesideTriangles)
{
    Md2Model model;
    model.commands = command(4, four) + end;
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->source_polygons, 2u);
}

TEST(Md2Commands, BadOnesAreRejectedWithTheirPlace)
{
    const auto error_text = [](std::string commands, const Limits& limits = {}) {
        const auto loaded = load_model(with_commands_alone(std::move(commands)), limits);
        if (loaded) return std::string("loaded");
        return std::string(to_string(loaded.error().code)) + " at " + loaded.error().where;
    };
    EXPECT_EQ(error_text(command(5, four)), "truncated at byte 248");
    EXPECT_EQ(error_text(command(-2'147'483'647 - 1, four)), "truncated at byte 248");
    EXPECT_EQ(error_text(command(3, {four[0], four[1], {0, 0, 4}})), "out_of_range at byte 248");
    EXPECT_EQ(error_text(command(3, {four[0], four[1], {0, 0, -1}})), "out_of_range at byte 248");
    EXPECT_EQ(error_text(command(4, four) + end, {.indices = 5}), "limit_exceeded at byte 296");
}

TEST(Md2Commands, CoordinatesFarOutOrNoNumbersKeepTheOthers)
{
    const auto scene = load(command(3, {{8.0f, 0, 0}, {0.5f, NAN, 1}, {INFINITY, 0.25f, 2}}) + end);
    ASSERT_EQ(scene.meshes[0].uv0.size(), 4u);
    EXPECT_NEAR(scene.meshes[0].uv0[0].x, 8.0f, 1e-3f);
    EXPECT_NEAR(scene.meshes[0].uv0[1].x, 0.5f, 1e-3f);
}

} // namespace
