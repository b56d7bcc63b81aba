// Attributes of vertices, and files without faces.

#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "tests/unit/ply/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

scene::Scene points_with(const std::string& properties, const std::string& rows, int count = 2)
{
    return load_ply_bytes(ply_header("element vertex " + std::to_string(count) + "\n" + xyz + properties) +
                          rows);
}

void expect_colors(const scene::Scene& scene, const std::vector<glm::vec4>& srgb)
{
    const auto& found = scene.meshes.at(0).colors;
    ASSERT_EQ(found.size(), srgb.size());
    for (std::size_t i = 0; i < srgb.size(); ++i) {
        EXPECT_NEAR(srgb_from_linear(found[i].x), srgb[i].x, 1e-4f) << i;
        EXPECT_NEAR(srgb_from_linear(found[i].y), srgb[i].y, 1e-4f) << i;
        EXPECT_NEAR(srgb_from_linear(found[i].z), srgb[i].z, 1e-4f) << i;
        EXPECT_NEAR(found[i].w, srgb[i].w, 1e-4f) << i;
    }
}

const std::string rgb_bytes = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
const std::string rgb_floats = "property float red\nproperty float green\nproperty float blue\n";

} // namespace

TEST(PlyVertices, WithoutFacesArePoints)
{
    const auto scene = points_with("", "0 0 0\n1 2 3\n");
    expect_source(scene, "ply", 2, 0);
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_EQ(mesh.primitives.size(), 1u);
    EXPECT_EQ(mesh.primitives[0].topology, scene::Topology::points);
    EXPECT_EQ(mesh.primitives[0].count, 2u);
    EXPECT_FALSE(mesh.primitives[0].has_normals);
    const auto lit = points_with("property float nx\nproperty float ny\nproperty float nz\n",
                                 "0 0 0 0 0 2\n1 2 3 0 0 0\n");
    EXPECT_TRUE(lit.meshes[0].primitives[0].has_normals);
    EXPECT_THAT(lit.meshes[0].normals, testing::ElementsAre(glm::vec3(0, 0, 1), glm::vec3(0, 1, 0)));
    const auto unlit = points_with("property float nx\nproperty float ny\nproperty float nz\n",
                                   "0 0 0 0 0 0\n1 2 3 0 0 0\n");
    EXPECT_FALSE(unlit.meshes[0].primitives[0].has_normals) << "declared, but all zero";
}

TEST(PlyVertices, HaveColorsOfEveryKind)
{
    expect_colors(points_with(rgb_bytes, "0 0 0 255 51 0\n0 0 0 0 0 102\n"),
                  {{1, 0.2f, 0, 1}, {0, 0, 0.4f, 1}});
    expect_colors(points_with(rgb_floats, "0 0 0 1 .2 0\n0 0 0 0 0 7\n"), {{1, 0.2f, 0, 1}, {0, 0, 1, 1}});
    expect_colors(points_with(rgb_floats, "0 0 0 255 51 0\n0 0 0 0 0 102\n"),
                  {{1, 0.2f, 0, 1}, {0, 0, 0.4f, 1}});
    expect_colors(points_with("property ushort r\nproperty ushort g\nproperty ushort b\n",
                              "0 0 0 65535 13107 0\n0 0 0 0 0 26214\n"),
                  {{1, 0.2f, 0, 1}, {0, 0, 0.4f, 1}});
    expect_colors(
        points_with("property uchar diffuse_red\nproperty uchar diffuse_green\nproperty uchar diffuse_blue\n",
                    "0 0 0 255 51 0\n0 0 0 0 0 nan\n"),
        {{1, 0.2f, 0, 1}, {0, 0, 0, 1}});
    EXPECT_TRUE(points_with("property uchar red\n", "0 0 0 1\n0 0 0 1\n").meshes[0].colors.empty());
}

TEST(PlyVertices, BlendIfTheirAlphaIsUsed)
{
    const std::string rgba = rgb_bytes + "property uchar alpha\n";
    const auto half = points_with(rgba, "0 0 0 255 255 255 51\n0 0 0 255 255 255 255\n");
    expect_colors(half, {{1, 1, 1, 0.2f}, {1, 1, 1, 1}});
    ASSERT_EQ(half.materials.size(), 1u);
    EXPECT_EQ(half.materials[0].alpha_mode, scene::AlphaMode::blend);
    EXPECT_EQ(half.meshes[0].primitives[0].material, 0u);
    const auto unused = points_with(rgba, "0 0 0 255 255 255 0\n0 0 0 255 255 255 0\n");
    expect_colors(unused, {{1, 1, 1, 1}, {1, 1, 1, 1}});
    EXPECT_TRUE(unused.materials.empty());
}

TEST(PlyVertices, HaveTextureCoordinatesOfEveryName)
{
    for (const auto& [u, v] : {std::pair{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}}) {
        const auto scene = points_with("property float " + std::string(u) + "\nproperty float " + v + "\n",
                                       "0 0 0 .25 .75\n0 0 0 0 0\n");
        EXPECT_EQ(scene.meshes.at(0).uv0.at(0), glm::vec2(0.25f, 0.25f)) << "from the top";
    }
}

TEST(PlyVertices, OfGaussianSplatsAreColoredPoints)
{
    const auto scene = points_with("property float f_dc_0\nproperty float f_dc_1\nproperty float f_dc_2\n"
                                   "property float opacity\n",
                                   "0 0 0 1.7724539 0 -1.7724539 1\n1 0 0 0 0 0 1\n");
    expect_colors(scene, {{1, 0.5f, 0, 1}, {0.5f, 0.5f, 0.5f, 1}});
    EXPECT_EQ(codes(scene), "ply_property_ignored ply_splats");
}

TEST(PlyVertices, ThatAreNotFiniteAreLeftOut)
{
    const auto scene = points_with("", "nan 0 0\n1 2 3\n4 5 6\n1e99 0 0\n", 4);
    EXPECT_THAT(scene.meshes.at(0).indices, testing::ElementsAre(1, 2));
    EXPECT_THAT(scene.meshes[0].positions, testing::ElementsAre(glm::vec3(1, 2, 3), glm::vec3(1, 2, 3),
                                                                glm::vec3(4, 5, 6), glm::vec3(4, 5, 6)));
    EXPECT_EQ(codes(scene), "ply_invalid_numbers");
    EXPECT_EQ(error_text(try_ply(ply_header("element vertex 1\n" + xyz) + "nan 0 0\n")),
              "empty at vertex: no vertex has a finite position");
    const auto face = load_ply_bytes(ply_header("element vertex 4\n" + xyz + "element face 2\n" + face_list) +
                                     "0 0 0 1 0 0 0 1 0 inf 0 0\n3 0 1 2\n3 0 1 3\n");
    EXPECT_EQ(face.meshes.at(0).indices.size(), 3u);
}

TEST(PlyVertices, FarFromZeroAreRelativeToAnOrigin)
{
    const auto scene = load_ply_bytes(ply_header("element vertex 2\nproperty double x\nproperty double y\n"
                                                 "property double z\n") +
                                      "4500000.125 3 -700000.25\n4500001.5 4 -700000.5\n");
    EXPECT_EQ(scene.nodes.at(0).local.translation, glm::vec3(4500000, 0, -700000));
    EXPECT_THAT(scene.meshes.at(0).positions,
                testing::ElementsAre(glm::vec3(0.125f, 3, -0.25f), glm::vec3(1.5f, 4, -0.5f)));
}
