#include "loaders/scene/blob.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "loaders/base/checksum.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/blob.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

std::string error_of(const LoadResult<Scene>& result)
{
    return result ? "none" : std::string(to_string(result.error().code)) + " " + result.error().where;
}

TEST(Blob, RoundTripKeepsEverything)
{
    Scene scene = test::everything();
    scene.meshes[0].shares_geometry = true;
    const auto decoded = test::decode_blob(test::encode_blob(scene));
    ASSERT_TRUE(decoded.has_value()) << decoded.error().detail;
    EXPECT_TRUE(test::same(scene, *decoded));
    EXPECT_TRUE(validate(*decoded).has_value());
    EXPECT_EQ(decoded->source_vertices, 5'000'000'000u);
    EXPECT_EQ(decoded->file_space.axes, scene.file_space.axes);
    EXPECT_EQ(decoded->materials[0].emissive_texture.rotation, 0.7f);
    EXPECT_TRUE(decoded->materials[0].double_sided && decoded->materials[0].unlit);
    EXPECT_EQ(decoded->nodes[3].matrix, scene.nodes[3].matrix);
    EXPECT_FALSE(decoded->nodes[3].visible);
    EXPECT_EQ(decoded->nodes[3].color, scene.nodes[3].color);
    EXPECT_EQ(decoded->nodes[2].morph_weights, scene.nodes[2].morph_weights);
    EXPECT_EQ(decoded->meshes[0].morph_targets[0].tangent_deltas,
              scene.meshes[0].morph_targets[0].tangent_deltas);
    EXPECT_TRUE(decoded->meshes[0].shares_geometry);
    EXPECT_EQ(decoded->meshes[0].more_uvs, scene.meshes[0].more_uvs);
    EXPECT_TRUE(decoded->meshes[0].primitives[2].has_normals);
    EXPECT_EQ(decoded->variants, (std::vector<std::string>{"worn", "new"}));
    EXPECT_EQ(decoded->meshes[0].primitives[0].variants, (std::vector<VariantMaterial>{{1, 0}}));
    EXPECT_EQ(decoded->meshes[0].influences.joints, scene.meshes[0].influences.joints);
    EXPECT_EQ(decoded->meshes[0].frames.normals, scene.meshes[0].frames.normals);
    EXPECT_EQ(decoded->skins[0].inverse_bind, scene.skins[0].inverse_bind);
    EXPECT_EQ(decoded->clips[0].channels[1].values, scene.clips[0].channels[1].values);
    EXPECT_EQ(decoded->clips[0].channels[2].before.repeats, 3u);
    EXPECT_EQ(decoded->clips[0].channels[2].after.mode, ExtrapolationMode::slope);
    EXPECT_EQ(decoded->skins[1].method, SkinningMethod::blended);
    EXPECT_EQ(decoded->images[0].pixels, scene.images[0].pixels);
    EXPECT_EQ(decoded->vrm, scene.vrm);
    EXPECT_EQ(decoded->warnings[0].where, "/images/1");
}

TEST(Blob, RoundTripsEmptyAndRandomScenes)
{
    EXPECT_TRUE(test::same(Scene{}, *test::decode_blob(test::encode_blob(Scene{}))));
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Scene scene = test::random_scene(seed);
        const auto decoded = test::decode_blob(test::encode_blob(scene));
        ASSERT_TRUE(decoded.has_value());
        EXPECT_TRUE(test::same(scene, *decoded));
    }
}

TEST(Blob, ArraysInPlaceAreViewsThatOutliveTheBlob)
{
    const Scene scene = test::everything();
    auto blob = std::make_shared<std::vector<std::byte>>(test::encode_blob(scene));
    const auto decoded = decode_blob_in_place(*blob, blob);
    ASSERT_TRUE(decoded.has_value()) << decoded.error().detail;
    const auto* const positions = reinterpret_cast<const std::byte*>(decoded->meshes[0].positions.data());
    EXPECT_TRUE(positions >= blob->data() && positions < blob->data() + blob->size());
    EXPECT_TRUE(decoded->clips[0].channels[0].times.is_view());
    EXPECT_TRUE(decoded->images[0].pixels.is_view());
    blob.reset();
    EXPECT_TRUE(test::same(scene, *decoded));
    EXPECT_TRUE(validate(*decoded).has_value());
}

TEST(Blob, PiecesReferToLargeArrays)
{
    Scene scene;
    scene.format = "text";
    scene.meshes.resize(2);
    scene.meshes[0].positions.resize(20'000, glm::vec3(1, 2, 3));
    scene.meshes[1].positions.resize(10, glm::vec3(4, 5, 6));
    scene.meshes[1].indices.resize(30'000, 7);
    const auto pieces = encode_blob_pieces(scene);
    ASSERT_EQ(pieces.arrays.size(), 2u);
    EXPECT_EQ(static_cast<const void*>(pieces.arrays[0].bytes.data()), scene.meshes[0].positions.data());
    EXPECT_EQ(pieces.arrays[1].bytes.size(), 120'000u);
    const auto decoded = test::decode_blob(test::encode_blob(scene));
    ASSERT_TRUE(decoded.has_value()) << decoded.error().detail;
    EXPECT_TRUE(test::same(scene, *decoded));
}

// `same` compares blobs, so it cannot detect a field missing from the description. Sizes are those of 64-bit
// libstdc++.
TEST(Blob, DescribesEveryField)
{
    EXPECT_EQ(sizeof(Scene), 904u)
        << "Scene, Node, ... changed: extend blob_fields.hpp, everything() and blob_version";
    EXPECT_EQ(sizeof(Node), 216u);
    EXPECT_EQ(sizeof(Mesh), 928u);
    EXPECT_EQ(sizeof(Primitive), 48u);
    EXPECT_EQ(sizeof(Skin), 88u);
    EXPECT_EQ(sizeof(Clip), 112u);
    EXPECT_EQ(sizeof(Channel), 144u);
    EXPECT_EQ(sizeof(Material), 496u);
    EXPECT_EQ(sizeof(Attribution), 288u);
    EXPECT_EQ(sizeof(VrmFacts), 272u);
    EXPECT_EQ(sizeof(VrmExpression), 72u);
}

TEST(Blob, ArraysAreAligned)
{
    Scene scene;
    scene.format = "odd length of text";
    scene.images.push_back({.name = "x", .width = 1, .height = 1, .pixels = {1, 2, 3, 4}});
    scene.meshes.emplace_back().positions = {{1.25f, 2.5f, 3.75f}};
    const std::vector<std::byte> bytes = test::encode_blob(scene);
    const glm::vec3 needle(1.25f, 2.5f, 3.75f);
    const auto found = std::search(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(&needle),
                                   reinterpret_cast<const std::byte*>(&needle) + sizeof needle);
    EXPECT_EQ((found - bytes.begin()) % 16, 0);
}

TEST(Blob, ReportsErrors)
{
    Scene scene = test::everything();
    scene.format = "abc";
    const std::vector<std::byte> good = test::encode_blob(scene);
    const auto changed = [&](std::size_t at, int value) {
        std::vector<std::byte> bytes = good;
        bytes[at] = static_cast<std::byte>(value);
        return error_of(test::decode_blob(bytes));
    };
    EXPECT_EQ(error_of(test::decode_blob({})), "truncated byte 0");
    EXPECT_EQ(changed(0, 'X'), "malformed byte 0");
    EXPECT_EQ(changed(8, blob_version - 1), "unsupported byte 8");
    EXPECT_EQ(changed(15, 1), "unsupported byte 8");
    EXPECT_EQ(changed(23, 1), "truncated byte 16");
    EXPECT_EQ(changed(31, 1), "out_of_range byte 32") << "the number of bytes of the first text";
    EXPECT_EQ(changed(34, 0xAA), "malformed byte 35") << "not UTF-8";
    EXPECT_EQ(error_of(test::decode_blob(std::span(good).first(good.size() - 1))), "truncated byte 16");
    std::vector<std::byte> longer = good;
    longer.emplace_back();
    EXPECT_EQ(error_of(test::decode_blob(longer)), "malformed byte 16");
    const std::uint64_t size = longer.size();
    std::memcpy(&longer[16], &size, sizeof size);
    EXPECT_EQ(error_of(test::decode_blob(longer)), "malformed byte " + std::to_string(good.size()));
}

TEST(Checksum, DetectsEveryChangedBitAndTheLength)
{
    for (const std::size_t size : {1u, 7u, 8u, 31u, 32u, 33u, 100u}) {
        std::vector<std::byte> bytes(size, std::byte{0x5A});
        const std::uint64_t before = checksum(bytes);
        for (std::size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
            EXPECT_NE(checksum(bytes), before);
            bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        }
        bytes.emplace_back();
        EXPECT_NE(checksum(bytes), before);
    }
    EXPECT_NE(checksum(std::vector<std::byte>(32)), checksum(std::vector<std::byte>(64)));
}

} // namespace
} // namespace vitrine::scene
