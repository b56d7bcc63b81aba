#include "loaders/scene/blob.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

TEST(Blob, RoundTripKeepsEverything)
{
    const Scene scene = test::everything();
    const auto ok = validate(scene);
    ASSERT_TRUE(ok.has_value()) << ok.error().where << ": " << ok.error().detail;
    const std::vector<std::byte> bytes = encode_blob(scene);
    const auto decoded = decode_blob(bytes);
    ASSERT_TRUE(decoded.has_value()) << decoded.error().detail;
    EXPECT_TRUE(test::same(scene, *decoded));
    EXPECT_EQ(decoded->source_vertices, 5'000'000'000u);
    EXPECT_EQ(decoded->materials[0].emissive_texture.rotation, 0.7f);
    EXPECT_EQ(decoded->nodes[3].matrix, scene.nodes[3].matrix);
    EXPECT_EQ(decoded->warnings[0].where, "/images/1");
}

} // namespace
} // namespace vitrine::scene
