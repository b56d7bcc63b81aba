// The binary form of STL and its two dialects of colors.

#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "tests/unit/stl/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// In sRGB, rounded to bytes; of the vertex `index` of the first mesh.
glm::ivec4 color_at(const scene::Scene& scene, std::size_t index)
{
    const glm::vec4 c = scene.meshes.at(0).colors.at(index);
    const auto byte = [](float v) { return static_cast<int>(std::lround(255.0f * v)); };
    return {byte(srgb_from_linear(c.x)), byte(srgb_from_linear(c.y)), byte(srgb_from_linear(c.z)), byte(c.w)};
}

constexpr std::uint16_t viscam(unsigned r, unsigned g, unsigned b)
{
    return static_cast<std::uint16_t>(0x8000u | r << 10 | g << 5 | b);
}
constexpr std::uint16_t magics(unsigned r, unsigned g, unsigned b)
{
    return static_cast<std::uint16_t>(r | g << 5 | b << 10);
}

const std::string magics_header = "COLOR=\x10\x20\x30\xFF";

} // namespace

TEST(StlBinary, BecomesAFlatMeshWithSharedVertices)
{
    const auto scene = load_flat_stl(binary_stl({{lower_half}, {upper_half}}));
    expect_source(scene, "stl", 6, 2);
    EXPECT_EQ(scene.generator, "made by hand");
    ASSERT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.meshes[0].name, "part");
    EXPECT_EQ(scene.meshes[0].positions.size(), 4u);
    EXPECT_THAT(scene.meshes[0].indices, testing::ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_LT(glm::distance(scene.meshes[0].positions[2], glm::vec3(1, 0, -1)), 1e-6f);
    EXPECT_TRUE(scene.meshes[0].colors.empty());
    EXPECT_EQ(codes(scene), "");
}

// Many programs begin the header with the word of the text form.
TEST(StlBinary, IsDetectedByItsSize)
{
    const std::string bytes = binary_stl({{lower_half}}, "solid by a CAD program, facet by facet");
    const auto recognized = [](std::string_view text) { return is_stl(std::as_bytes(std::span(text))); };
    EXPECT_EQ(load_stl_bytes(bytes).source_polygons, 1u);
    EXPECT_TRUE(recognized(bytes));
    EXPECT_TRUE(recognized(square_stl));
    EXPECT_TRUE(recognized(" SOLID\nfacet normal 0 0 1\n"));
    EXPECT_FALSE(recognized(bytes + " "));
    EXPECT_FALSE(recognized("solid gold, but no model"));
    EXPECT_FALSE(recognized("solids facet"));
    EXPECT_FALSE(recognized(std::string(84, '\0')));
    EXPECT_FALSE(recognized(""));
}

TEST(StlBinary, HasColorsOfVisCam)
{
    const auto scene =
        load_flat_stl(binary_stl({{lower_half, viscam(31, 0, 0)}, {upper_half, viscam(0, 31, 10)}}));
    EXPECT_EQ(scene.meshes.at(0).positions.size(), 6u) << "facets of different colors share no vertices";
    EXPECT_EQ(color_at(scene, 0), glm::ivec4(255, 0, 0, 255));
    EXPECT_EQ(color_at(scene, 3), glm::ivec4(0, 255, 82, 255));
    const auto partly = load_flat_stl(binary_stl({{lower_half, viscam(0, 0, 31)}, {upper_half, 0x7C00}}));
    EXPECT_EQ(color_at(partly, 0), glm::ivec4(0, 0, 255, 255));
    EXPECT_EQ(color_at(partly, 3), glm::ivec4(255, 255, 255, 255)) << "bit 15 is clear: no color";
    EXPECT_TRUE(load_flat_stl(binary_stl({{lower_half, 0x7C00}})).meshes.at(0).colors.empty());
}

TEST(StlBinary, HasColorsOfMagics)
{
    const auto scene =
        load_flat_stl(binary_stl({{lower_half, magics(31, 0, 10)}, {upper_half, 0x8000}}, magics_header));
    EXPECT_EQ(color_at(scene, 0), glm::ivec4(255, 0, 82, 255));
    EXPECT_EQ(color_at(scene, 3), glm::ivec4(16, 32, 48, 255)) << "bit 15 is set: the part's color";
    ASSERT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.materials[0].base_color, glm::vec4(1.0f));
    EXPECT_EQ(scene.meshes[0].primitives.at(0).material, 0u);
    EXPECT_EQ(scene.generator, "");
}

TEST(StlBinary, HasTheColorOfThePart)
{
    const auto part_color = [](const std::string& header, std::uint16_t attribute = 0) {
        const auto scene = load_flat_stl(binary_stl({{lower_half, attribute}}, header));
        EXPECT_TRUE(scene.meshes.at(0).colors.empty());
        return scene.materials.empty() ? glm::vec4(-1.0f) : scene.materials[0].base_color;
    };
    EXPECT_NEAR(part_color(magics_header).x, linear_from_srgb(16.0f / 255.0f), 1e-6f);
    EXPECT_EQ(part_color(magics_header, 0x8000).w, 1.0f);
    EXPECT_EQ(part_color("by Magics " + magics_header + ",MATERIAL=\xFF\xFF\xFF\xFF" + std::string(8, 'a')).x,
              1.0f);
    EXPECT_NEAR(part_color("COLOR=\xFF\xFF\xFF\x80").w, 128.0f / 255.0f, 1e-6f);
    EXPECT_EQ(part_color(std::string("COLOR=\xFF\xFF\xFF\0", 10)).w, 1.0f)
        << "alpha 0 of programs without it";
    EXPECT_EQ(part_color("no color").x, -1.0f);
    EXPECT_EQ(part_color(std::string(73, 'a') + "COLOR=").x, -1.0f) << "the header ends before the color";
    EXPECT_EQ(load_flat_stl(binary_stl({{lower_half}}, "COLOR=\xFF\xFF\xFF\x80")).materials[0].alpha_mode,
              scene::AlphaMode::blend);
}

TEST(StlBinary, UsesTheFacetsThatAreThere)
{
    const auto with_count = [](std::uint32_t count, std::string rest = "") {
        std::string bytes = binary_stl({{lower_half}, {upper_half}});
        std::memcpy(bytes.data() + 80, &count, sizeof count);
        return load_stl_bytes(bytes + rest);
    };
    for (const std::uint32_t count : {0u, 3u, 0xFFFF'FFFFu}) {
        EXPECT_EQ(with_count(count).source_polygons, 2u) << count;
        EXPECT_EQ(codes(with_count(count)), "stl_facet_count") << count;
    }
    EXPECT_EQ(with_count(1).source_polygons, 1u);
    EXPECT_EQ(codes(with_count(2, "trailing bytes")), "stl_facet_count");
    const std::string bytes = binary_stl({{lower_half}, {upper_half}});
    EXPECT_EQ(error_text(try_stl(bytes.substr(0, 150))),
              "truncated at byte 150: the file declares 2 facets and ends within facet 1");
    EXPECT_EQ(error_text(try_stl(bytes.substr(0, 84))),
              "truncated at byte 84: the file declares 2 facets and has none");
    EXPECT_EQ(error_text(try_stl(bytes.substr(0, 83))),
              "truncated at : the file is neither text nor a header of 84 bytes with facets");
    EXPECT_EQ(error_text(try_stl(binary_stl({}))), "empty at : the file has no facet");
}

TEST(StlBinary, LeavesOutFacetsThatAreNotFinite)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const auto scene = load_stl_bytes(binary_stl({{lower_half}, {{glm::vec3(nan), {1, 0, 0}, {0, 1, 0}}}}));
    EXPECT_EQ(scene.meshes[0].indices.size(), 3u);
    ASSERT_EQ(codes(scene), "stl_invalid_numbers");
    EXPECT_EQ(scene.warnings[0].where, "facet 1");
    EXPECT_EQ(error_text(try_stl(binary_stl({{{glm::vec3(nan), {1, 0, 0}, {0, 1, 0}}}}))),
              "empty at : no facet has finite positions");
}

TEST(StlBinary, ReportsReversedNormals)
{
    const auto scene = load_stl_bytes(binary_stl({{lower_half, 0, {0, 0, -1}}, {upper_half, 0, {0, 0, 0}}}));
    EXPECT_EQ(codes(scene), "stl_reversed_normals");
    EXPECT_EQ(scene.warnings[0].message,
              "1 facets have a normal that is opposite to their winding, which is used");
    EXPECT_EQ(scene.meshes[0].normals[0], glm::vec3(0, 1, 0));
}

TEST(StlBinary, IsLimited)
{
    const std::string bytes = binary_stl({{lower_half}, {upper_half}}, magics_header);
    const auto error = [&](const Limits& limits) { return error_text(try_stl(bytes, limits)); };
    EXPECT_EQ(error({.vertices = 5}), "limit_exceeded at byte 80: more than the limit vertices = 5");
    EXPECT_EQ(error({.indices = 5}), "limit_exceeded at byte 80: more than the limit indices = 5");
    EXPECT_EQ(error({.materials = 0}), "limit_exceeded at : more than the limit materials = 0");
    EXPECT_EQ(error({.file_bytes = 10}).substr(0, 14), "limit_exceeded");
}
