#include <span>

#include <fmt/format.h>

#include "tests/support/base64.hpp"
#include "tests/unit/dae/hostile.hpp"
#include "tests/unit/dae/surfaces.hpp"

namespace vitrine::dae::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string document_of(const std::string& materials, const std::string& effects,
                        const std::string& primitives, const std::string& images = "")
{
    return Document{.libraries = library("images", images) + library("materials", materials) +
                                 library("effects", effects) +
                                 library("geometries", geometry("g", primitives)),
                    .nodes = "<node><instance_geometry url='#g'/></node>"}
        .text();
}

// As many materials as `effects`, each using one of them, on one mesh.
std::string of_effects(const std::vector<std::string>& effects, const std::string& images = "")
{
    std::string materials, primitives = triangles("g", "0 1 2"), all;
    for (std::size_t i = 0; i < effects.size(); ++i) {
        materials += fmt::format("<material id='m{0}'><instance_effect url='#e{0}'/></material>", i);
        primitives += fmt::format("<lines material='m{}'/>", i);
        all += fmt::format("<effect id='e{}'><profile_COMMON><technique sid='t'>{}</technique>"
                           "</profile_COMMON></effect>",
                           i, effects[i]);
    }
    return document_of(materials, all, primitives, images);
}

std::vector<std::string> masks_of_many_amounts(const std::string& mode)
{
    std::vector<std::string> effects;
    for (int i = 1; i <= 40; ++i)
        effects.push_back(lambert(fmt::format("<transparent opaque='{}'><texture texture='i' texcoord='a'/>"
                                              "</transparent><transparency><float>{}</float></transparency>",
                                              mode, static_cast<double>(i) / 64)));
    return effects;
}

// A material with the name of a symbol applies only where an instance binds none.
TEST(DaeHostileMaterial, UnboundSymbolsUseTheirOwnMaterials)
{
    const std::string libraries =
        library("materials", "<material id='a'/><material id='b'/><material id='c'/>") +
        library("geometries", geometry("g", triangles("g", "0 1 2", "", "material='a'") +
                                                triangles("g", "0 2 3", "", "material='b'")));
    const std::string binding = "<bind_material><technique_common><instance_material symbol='a' "
                                "target='#c'/></technique_common></bind_material>";
    const std::string bound = "<node><instance_geometry url='#g'>" + binding + "</instance_geometry></node>",
                      bare = "<node><instance_geometry url='#g'/></node>";
    const auto materials_of = [&](const std::string& nodes) {
        std::string names;
        const scene::Scene scene = loaded_soon(Document{.libraries = libraries, .nodes = nodes}.text());
        for (const scene::Mesh& mesh : scene.meshes)
            for (const scene::Primitive& primitive : mesh.primitives)
                names += scene.materials.at(primitive.material).name;
        return names + std::to_string(scene.materials.size());
    };
    EXPECT_EQ(materials_of(bound + bound), "cb2");
    EXPECT_EQ(materials_of(bound + bare + bound + bare), "cbab3");
}

TEST(DaeHostileMaterial, MasksCountAgainstTheMemoryLimit)
{
    const std::string image = "<image id='i'><init_from>p.bmp</init_from></image>";
    Limits limits;
    limits.total_pixels = 10;
    for (const std::string mode : {"A_ONE", "RGB_ZERO"}) { // masks in each amount; black ones are opaque
        const auto scene =
            load_soon(of_effects(masks_of_many_amounts(mode), image), limits, {{"p.bmp", picture(0, 0, 0)}});
        ASSERT_TRUE(scene);
        EXPECT_THAT(scene->materials, SizeIs(40));
        EXPECT_THAT(scene->images, SizeIs(mode == "A_ONE" ? 10 : 1));
        EXPECT_EQ(count_warnings(*scene, "image_limit"), 1u) << mode;
    }
}

// The missing data would cause a warning if the image were decoded.
TEST(DaeHostileMaterial, EmbeddedImagesHaveAskedForRoom)
{
    std::string whole = "data:image/bmp;base64,", images;
    std::vector<std::string> effects;
    const std::string bytes = picture(1, 2, 3).substr(0, 54);
    for (int i = 0; i < 2; ++i) {
        images += fmt::format(
            "<image id='i{}'><init_from>{}{}</init_from></image>", i, whole,
            vitrine::test::encode_base64(std::as_bytes(std::span(i == 0 ? picture(1, 2, 3) : bytes))));
        effects.push_back(
            fmt::format("<lambert><diffuse><texture texture='i{}' texcoord='a'/></diffuse></lambert>", i));
    }
    Limits limits;
    limits.total_pixels = 1;
    const auto scene = load_soon(of_effects(effects, images), limits);
    ASSERT_TRUE(scene);
    EXPECT_THAT(scene->images, SizeIs(1));
    const auto warning = std::ranges::find(scene->warnings, "invalid_image", &scene::Warning::code);
    ASSERT_NE(warning, scene->warnings.end());
    EXPECT_THAT(warning->message, HasSubstr("the limit total_pixels = 1"));
}

TEST(DaeHostileMaterial, EffectOfManyMaterialsIsReadOnce)
{
    constexpr int count = 1'000;
    std::string materials, primitives = triangles("g", "0 1 2");
    for (int i = 0; i < count; ++i) {
        materials += fmt::format("<material id='m{}'><instance_effect url='#e'/></material>", i);
        primitives += fmt::format("<lines material='m{}'/>", i);
    }
    const std::string effect = "<effect id='e'>" + repeated(3'000, "<newparam sid='a'/>") +
                               "<profile_COMMON><technique sid='t'>" +
                               "<lambert><specular><texture texture='x'/></specular></lambert>"
                               "</technique></profile_COMMON></effect>";
    const scene::Scene scene = loaded_soon(document_of(materials, effect, primitives));
    EXPECT_THAT(scene.materials, SizeIs(count));
    const auto more = std::ranges::find_if(scene.warnings, [](const scene::Warning& w) {
        return w.code == "map_not_shown" && w.message.starts_with("992 more");
    });
    EXPECT_NE(more, scene.warnings.end()) << "each material is warned of";
}

TEST(DaeHostileMaterial, ParametersOfLargeEffectsAreSetWithinABound)
{
    constexpr int count = 300;
    std::string materials, primitives = triangles("g", "0 1 2");
    for (int i = 0; i < count; ++i) {
        materials +=
            fmt::format("<material id='m{}'><instance_effect url='#e'><setparam ref='c'><float4>1 0 0 "
                        "1</float4></setparam></instance_effect></material>",
                        i);
        primitives += fmt::format("<lines material='m{}'/>", i);
    }
    const std::string effect = "<effect id='e'>" + repeated(20'000, "<annotate/>") +
                               "<newparam sid='c'><float4>0 1 0 1</float4></newparam><profile_COMMON>"
                               "<technique sid='t'><lambert><diffuse><param ref='c'/></diffuse></lambert>"
                               "</technique></profile_COMMON></effect>";
    const scene::Scene scene = loaded_soon(document_of(materials, effect, primitives));
    ASSERT_THAT(scene.materials, SizeIs(count));
    EXPECT_EQ(scene.materials.front().base_color, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(scene.materials.back().base_color, glm::vec4(0, 1, 0, 1));
    EXPECT_TRUE(warns(scene, "unsupported_effect"));
}

} // namespace
} // namespace vitrine::dae::test
