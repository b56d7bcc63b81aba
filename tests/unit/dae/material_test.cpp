#include <gmock/gmock.h>

#include "tests/unit/dae/surfaces.hpp"

namespace vitrine::dae::test {
namespace {

TEST(DaeMaterial, ColorsAreLinear)
{
    const scene::Material m =
        material({.shader = "<lambert><diffuse><color>1 0.5 0 1</color></diffuse></lambert>"});
    EXPECT_EQ(m.name, "Red");
    EXPECT_NEAR(m.base_color.y, 0.2140, 1e-3);
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::opaque);
    EXPECT_TRUE(m.double_sided);
}

TEST(DaeMaterial, ConstantIsUnlit)
{
    const scene::Material m =
        material({.shader = "<constant><emission><color>0 1 0 1</color></emission></constant>"});
    EXPECT_TRUE(m.unlit);
    EXPECT_EQ(glm::vec3(m.base_color), glm::vec3(0, 1, 0));
}

TEST(DaeMaterial, OpacityInItsFourModes)
{
    const auto opacity = [](const std::string& mode, const std::string& color, const std::string& amount) {
        return material({.shader = lambert("<transparent " + mode + "><color>" + color +
                                           "</color></transparent><transparency>"
                                           "<float>" +
                                           amount + "</float></transparency>")})
            .base_color.w;
    };
    EXPECT_FLOAT_EQ(opacity("", "0 0 0 1", "1"), 1.0f);
    EXPECT_FLOAT_EQ(opacity("opaque='A_ONE'", "0 0 0 0.5", "0.5"), 0.25f);
    EXPECT_FLOAT_EQ(opacity("opaque='RGB_ZERO'", "0 0 0 1", "1"), 1.0f);
    EXPECT_NEAR(opacity("opaque='RGB_ZERO'", "1 1 1 1", "0.25"), 0.75f, 1e-5);
    EXPECT_FLOAT_EQ(opacity("opaque='A_ZERO'", "0 0 0 0.25", "1"), 0.75f);
    EXPECT_NEAR(opacity("opaque='RGB_ONE'", "1 1 1 1", "0.5"), 0.5f, 1e-5);
}

TEST(DaeMaterial, ProgramsThatCountTransparencyTheOtherWay)
{
    const std::string shader = lambert(
        "<transparent><color>1 1 1 1</color></transparent><transparency><float>0</float></transparency>");
    EXPECT_EQ(material({.shader = shader}).base_color.w, 0.0f);
    const auto opacity = [](const std::string& tool, const std::string& amount) {
        return material({.shader = lambert(
                             "<transparent><color>1 1 1 1</color></transparent><transparency><float>" +
                             amount + "</float></transparency>"),
                         .asset = "<contributor><authoring_tool>" + tool + "</authoring_tool></contributor>"})
            .base_color.w;
    };
    for (const std::string tool :
         {"FBX COLLADA exporter", "Google SketchUp 6.4.112", "Google SketchUp 7.0.8657",
          "Blender v:249 - Illusoft Collada Exporter v:0.3.162"}) {
        EXPECT_EQ(opacity(tool, "0"), 1.0f) << tool;
        EXPECT_FLOAT_EQ(opacity(tool, "0.25"), 0.75f) << tool;
    }
    for (const std::string tool : {"Google SketchUp 7.1.4871", "SketchUp 17.3.116", "VCGLib | MeshLab",
                                   "Maya 8.5 | ColladaMaya v3.02 | FCollada v3.2", "ColladaMax v3.00"}) {
        EXPECT_EQ(opacity(tool, "0"), 1.0f) << tool;
        EXPECT_EQ(opacity(tool, "0.25"), 0.25f) << tool;
    }
    EXPECT_EQ(opacity("Maya2008 | ColladaMaya v3.05B", "0"), 0.0f);
    const std::string next = "</authoring_tool></contributor><contributor><authoring_tool>";
    EXPECT_EQ(opacity("Hand written" + next + "Maya 7.0 | ColladaMaya v2.03b", "0"), 1.0f) << "any of them";
    EXPECT_EQ(opacity(next + "Google SketchUp 6.4.112", "0.25"), 0.75f);
}

// Most programs leave FBX's factor at 1 and its transparent color black, which is opaque.
TEST(DaeMaterial, FbxSubtractsTheTransparentColor)
{
    const auto opacity = [](const std::string& color) {
        return material({.shader = lambert("<transparent><color>" + color +
                                           " 1</color></transparent><transparency><float>1</float>"
                                           "</transparency>"),
                         .asset = "<contributor><authoring_tool>FBX COLLADA exporter</authoring_tool>"
                                  "</contributor>"})
            .base_color.w;
    };
    EXPECT_EQ(opacity("0 0 0"), 1.0f);
    EXPECT_NEAR(opacity("0.25 0.25 0.25"), 0.75f, 1e-5);
}

// SketchUp stores the color of edges in <transparent> only.
TEST(DaeMaterial, ConstantWithoutEmissionHasTheColorOfTransparent)
{
    const scene::Material m =
        material({.shader = "<constant><transparent opaque='A_ONE'><color>1 0 0 1</color>"
                            "</transparent><transparency><float>1</float></transparency>"
                            "</constant>"});
    EXPECT_EQ(m.base_color, glm::vec4(1, 0, 0, 1));
    EXPECT_TRUE(m.unlit);
}

TEST(DaeMaterial, ParametersAndTheirOverrides)
{
    const Surface surface{.shader = "<phong><diffuse><param ref='c'/></diffuse></phong>",
                          .parameters = "<newparam sid='c'><float4>0 0 1 1</float4></newparam>"};
    EXPECT_EQ(glm::vec3(material(surface).base_color), glm::vec3(0, 0, 1));
    Surface changed = surface;
    changed.instance = "<setparam ref='c'><float3>0 1 0</float3></setparam>";
    EXPECT_EQ(glm::vec3(material(changed).base_color), glm::vec3(0, 1, 0));
}

TEST(DaeMaterial, OneMeshForEachBinding)
{
    std::string text = Surface{}.text();
    const std::string node = "<node><instance_geometry url='#g'/></node>";
    text.insert(text.find("</visual_scene>"), node + node);
    const scene::Scene scene = loaded(text);
    EXPECT_EQ(scene.meshes.size(), 2u); // bound and not bound
    EXPECT_EQ(scene.source_vertices, 4u);
    EXPECT_FALSE(scene.meshes[0].shares_geometry);
    EXPECT_TRUE(scene.meshes[1].shares_geometry) << "counts leave it out";
    EXPECT_EQ(scene.meshes[0].primitives.at(0).material, 0u);
    EXPECT_EQ(scene.meshes[1].primitives.at(0).material, scene::none);
}

TEST(DaeMaterial, PrimitivesWithoutASymbolTakeTheOnlyMaterial)
{
    std::string text = Surface{}.text();
    text.erase(text.find("material='m'"), 12);
    EXPECT_EQ(loaded(text).meshes.at(0).primitives.at(0).material, 0u);
}

TEST(DaeMaterial, SymbolMayBeTheMaterialItself)
{
    Surface surface{.bind = ""};
    std::string text = surface.text();
    text.replace(text.find("material='m'"), 12, "material='mat'");
    EXPECT_EQ(loaded(text).meshes.at(0).primitives.at(0).material, 0u);
}

} // namespace
} // namespace vitrine::dae::test
