#include "loaders/scene/variants.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// Three materials; the first primitive has one for "day" and "night", the second none.
Scene two_primitives()
{
    Scene scene = test::textured_cube();
    scene.materials.resize(3);
    scene.variants = {"day", "night", "1"};
    Mesh& mesh = scene.meshes[0];
    const Primitive whole = mesh.primitives[0];
    mesh.primitives = {whole, whole};
    mesh.primitives[0].count = 3;
    mesh.primitives[1].first = whole.first + 3;
    mesh.primitives[1].count = whole.count - 3;
    mesh.primitives[0].material = 0;
    mesh.primitives[1].material = 1;
    mesh.primitives[0].variants = {{0, 1}, {1, 2}};
    EXPECT_TRUE(validate(scene));
    return scene;
}

TEST(Variants, ReplaceTheMaterialsOfTheirPrimitives)
{
    const auto materials = [](std::uint32_t variant) {
        Scene scene = two_primitives();
        apply_variant(scene, variant);
        EXPECT_TRUE(scene.variants.empty());
        EXPECT_TRUE(validate(scene));
        const auto& primitives = scene.meshes[0].primitives;
        EXPECT_TRUE(primitives[0].variants.empty());
        return std::vector{primitives[0].material, primitives[1].material};
    };
    using List = std::vector<std::uint32_t>;
    EXPECT_EQ(materials(0), (List{1, 1}));
    EXPECT_EQ(materials(1), (List{2, 1}));
    EXPECT_EQ(materials(2), (List{0, 1})) << "no material for this variant";
}

} // namespace
} // namespace vitrine::scene
