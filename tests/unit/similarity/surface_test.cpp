// Surfaces that are alike are found among others; simple parts are not confused.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"
#include "tests/unit/similarity/made_shapes.hpp"
#include "tests/unit/similarity/similar_set.hpp"

namespace vitrine::scene {
namespace {

using test::ShapeChange;

std::string first_of(const std::vector<std::string>& pairs)
{
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(pairs.size(), 20); ++i)
        text += "\n  " + pairs[i];
    return text;
}

TEST(SurfaceSignature, FindsVariantsAndNothingElse)
{
    std::mt19937 random(3);
    std::vector<test::SignedShape> set;
    for (const auto& shape : test::made_shapes()) {
        set.push_back({shape.name, shape.name, *surface_signature(shape.scene)});
        for (const auto change : {ShapeChange::placed, ShapeChange::mirrored, ShapeChange::reordered,
                                  ShapeChange::divided, ShapeChange::decimated}) {
            const auto variant = test::changed(shape.scene, change, random);
            if (variant.meshes.empty()) continue;
            set.push_back({shape.name, fmt::format("{} ({})", shape.name, static_cast<int>(change)),
                           *surface_signature(variant)});
        }
    }
    const auto result = test::query_all(set, [](const auto&, const auto&) { return false; });
    fmt::print("{} shapes: recall {:.4f}, precision {:.4f}, at most {} candidates\n", set.size(),
               result.recall(), result.precision(), result.most_candidates);
    EXPECT_GE(result.recall(), 0.95) << first_of(result.missed);
    EXPECT_GE(result.precision(), 0.99) << first_of(result.wrong);
}

TEST(SurfaceSignature, IsOfScenesOfBoundedSize)
{
    auto scene = test::textured_cube();
    EXPECT_TRUE(surface_signature(scene, 36)); // corners of 12 triangles
    EXPECT_FALSE(surface_signature(scene, 35));
    scene.nodes.push_back({.name = "second", .mesh = 0});
    EXPECT_TRUE(surface_signature(scene, 72));
    EXPECT_FALSE(surface_signature(scene, 71));
    Mesh& large = scene.meshes[0];
    large.indices.resize(3'000'000);
    large.primitives[0].count = 3'000'000;
    while (scene.nodes.size() * large.indices.size() <= max_surface_corners)
        scene.nodes.push_back({.name = "more", .mesh = 0});
    EXPECT_FALSE(surface_signature(scene));
}

TEST(SurfaceSignature, CountsVerticesWithoutTriangles)
{
    auto scene = test::textured_cube();
    scene.meshes[0].positions.resize(100);
    EXPECT_TRUE(surface_signature(scene, 100));
    EXPECT_FALSE(surface_signature(scene, 99));
}

TEST(SurfaceSignature, OfACube)
{
    const auto cube = *surface_signature(test::textured_cube()); // edge 1
    EXPECT_EQ(cube.triangles, 12u);
    EXPECT_EQ(cube.directions, 6u);
    EXPECT_EQ(cube.handedness, 0);
    const double size2 = 5.0 / 12.0; // mean of r^2 over a face: 1/4 + 1/12 + 1/12
    EXPECT_NEAR(cube.size, std::sqrt(size2), 1e-6);
    EXPECT_NEAR(cube.values[SurfaceSignature::middle], 1.0, 1e-6);
    EXPECT_NEAR(cube.values[SurfaceSignature::least], 1.0, 1e-6);
    EXPECT_NEAR(cube.values[SurfaceSignature::area], std::log(6.0 / size2), 1e-6);
    // Mean of (1/4 + y^2 + z^2)^2 over a face: 1/16 + 2 * 1/80 + 2 * 1/2 * 1/12 + 2 / 144.
    const double fourth = 1.0 / 16 + 2.0 / 80 + 1.0 / 12 + 2.0 / 144;
    EXPECT_NEAR(cube.values[SurfaceSignature::kurtosis], std::log(fourth / (size2 * size2)), 1e-6);
    EXPECT_NEAR(cube.values[SurfaceSignature::skewness], 0.0, 1e-6);
    EXPECT_NEAR(cube.values[SurfaceSignature::volume], 1.0 / std::pow(6.0, 1.5), 1e-6);
}

TEST(SurfaceSignature, SaysWhatIsMirroredAndHowLarge)
{
    std::mt19937 random(5);
    int handed = 0;
    for (const auto& shape : test::made_shapes()) {
        const auto own = *surface_signature(shape.scene);
        auto large = shape.scene;
        large.nodes[0].local.scale = glm::vec3(2.5f);
        const auto match = compare(own, *surface_signature(large));
        ASSERT_TRUE(match) << shape.name;
        EXPECT_NEAR(match->scale, 2.5, 1e-4) << shape.name;
        EXPECT_FALSE(match->is_mirrored) << shape.name;
        const auto mirrored =
            compare(own, *surface_signature(test::changed(shape.scene, ShapeChange::mirrored, random)));
        ASSERT_TRUE(mirrored) << shape.name;
        EXPECT_EQ(mirrored->is_mirrored, own.handedness != 0) << shape.name;
        handed += own.handedness != 0;
    }
    EXPECT_GE(handed, 8) << "lumps without symmetry";
}

TEST(SurfaceSignature, NeedsAnArea)
{
    EXPECT_FALSE(surface_signature({}));
    auto hidden = test::textured_cube();
    for (auto& node : hidden.nodes)
        node.visible = false;
    EXPECT_FALSE(surface_signature(hidden));
    auto flat = test::textured_cube();
    for (auto& node : flat.nodes)
        node.local.scale = glm::vec3(0.0f);
    EXPECT_FALSE(surface_signature(flat));
}

} // namespace
} // namespace vitrine::scene
