// MToon: a matte surface that emits a part of its shade color.

#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "tests/unit/gltf/reported_places.hpp"
#include "tests/unit/vrm/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::Contains;

namespace {

void expect_color(const glm::vec3& found, const glm::vec3& expected)
{
    EXPECT_LT(glm::distance(found, expected), 1e-5f) << found.x << " " << found.y << " " << found.z;
}

void expect_matte(const scene::Material& material)
{
    EXPECT_FALSE(material.unlit);
    EXPECT_EQ(material.metallic, 0.0f);
    EXPECT_EQ(material.roughness, 1.0f);
    EXPECT_EQ(material.extensions.specular, 0.0f);
}

} // namespace

TEST(MToon, OfVersion1)
{
    const auto scene = valid(try_vrm(vrm_1().glb()));
    const auto& material = scene.materials.at(0);
    expect_matte(material);
    expect_color(material.emissive, {0.25f, 0.125f, 0.0f});
    expect_color(glm::vec3(material.base_color) + material.emissive, {1.0f, 0.5f, 0.25f});
    EXPECT_THAT(warnings_of(scene), Contains("extension_approximated at /extensionsUsed/2"));
}

TEST(MToon, OfVersion0)
{
    const auto scene = valid(try_vrm(vrm_0().glb()));
    const auto& material = scene.materials.at(0);
    expect_matte(material);
    expect_color(material.emissive, glm::vec3(0.5f * linear_from_srgb(0.5f)));
    expect_color(glm::vec3(material.base_color) + material.emissive, glm::vec3(1.0f));
    EXPECT_EQ(material.alpha_mode, scene::AlphaMode::mask);
    EXPECT_EQ(material.alpha_cutoff, 0.25f);
    EXPECT_TRUE(material.double_sided);
    EXPECT_THAT(warnings_of(scene),
                Contains("extension_approximated at /extensions/VRM/materialProperties/0"));
}

TEST(MToon, ShadersOfVersion0)
{
    const auto material = [](const std::string& properties) {
        return valid(try_vrm(vrm_0("", facts_0, "\"materialProperties\":" + properties).glb()))
            .materials.at(0);
    };
    EXPECT_TRUE(material(R"([{"shader":"VRM/UnlitCutout"}])").unlit);
    EXPECT_FALSE(material(R"([{"shader":"VRM_USE_GLTFSHADER"}])").unlit);
    EXPECT_EQ(material(R"([{"shader":"VRM_USE_GLTFSHADER"}])").emissive, glm::vec3(0.0f));
    EXPECT_EQ(material(R"([{"shader":"VRM/MToon","floatProperties":{"_BlendMode":3}}])").alpha_mode,
              scene::AlphaMode::blend);
    EXPECT_EQ(material(R"([{"shader":"VRM/MToon","floatProperties":{"_BlendMode":0}}])").alpha_mode,
              scene::AlphaMode::opaque);
    for (const char* broken : {"3", "{}", "[]", "[3]", R"([{"shader":3}])"})
        EXPECT_EQ(material(broken).emissive, glm::vec3(0.0f)) << broken;
    expect_matte(material(R"([{"shader":"VRM/MToon","floatProperties":4,"vectorProperties":[]}])"));
}

TEST(MToon, KeepsAnEmissionOfItsOwn)
{
    GltfBuilder builder;
    add_figure(builder, 1.0f, R"({"emissiveFactor":[0,1,0],"extensions":{"VRMC_materials_mtoon":{}}})");
    builder.root(R"("extensionsUsed":["VRMC_vrm","VRMC_materials_mtoon"],"extensions":{"VRMC_vrm":{}})");
    const auto scene = valid(try_vrm(builder.glb()));
    expect_color(scene.materials.at(0).emissive, {0, 1, 0});
    expect_color(glm::vec3(scene.materials[0].base_color), glm::vec3(1.0f));
}
