#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/broken_images.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md5/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// The color of the arm's image next to these files; -1 for none.
int arm_color(std::map<std::string, std::string> files, const std::string& mesh = arm_mesh)
{
    files["arm.md5mesh"] = mesh;
    const auto loaded = load_arm(std::move(files));
    EXPECT_TRUE(loaded);
    EXPECT_TRUE(scene::validate(*loaded));
    const std::uint32_t image = loaded->materials.at(0).base_color_texture.image;
    return image == scene::none ? -1 : loaded->images.at(image).pixels.at(0);
}

} // namespace

TEST(Md5Texture, IsFoundByShaderConfigOrConvention)
{
    EXPECT_EQ(arm_color({}), -1);
    EXPECT_EQ(arm_color({{"models/arm.tga", pixel(1)}}), 1);
    EXPECT_EQ(arm_color({{"ARM.TGA", pixel(1)}}), 1);
    EXPECT_EQ(arm_color({{"arm_d.tga", pixel(1)}}), 1);
    EXPECT_EQ(arm_color({{"arm.tga", pixel(1)},
                         {"x.tga", pixel(2)},
                         {"md5.cfg", "// skins\nmd5skin arm \"<dds>x.tga\" \"m.tga\" 0.5"}}),
              2);
    EXPECT_EQ(arm_color({{"x.tga", pixel(2)}, {"md5.cfg", "md5skin other x.tga\nmd5skin * x.tga"}}), 2);
    EXPECT_EQ(arm_color({{"skin.tga", pixel(3)}, {"norm.tga", pixel(4)}}), 3);
    EXPECT_EQ(arm_color({{"skin.dds", "no"}, {"base-skin.tga", pixel(3)}, {"mask.tga", pixel(4)}}), 3);
    EXPECT_EQ(arm_color({{"wood.tga", pixel(5)}, {"wood_n.tga", pixel(4)}}), 5);
    EXPECT_EQ(
        arm_color({{"red_skin.tga", pixel(5)}, {"red_skin_s.tga", pixel(4)}, {"red_n_2.tga", pixel(4)}}), 5);
    EXPECT_EQ(arm_color({{"wood.tga", pixel(5)}, {"iron.tga", pixel(4)}}), -1); // ambiguous
}

// Doom 3's materials, in both of their forms.
TEST(Md5Texture, IsFoundByAMaterial)
{
    const std::map<std::string, std::string> pictures{
        {"textures/skin.tga", pixel(1)}, {"textures/bumps.tga", pixel(2)}, {"textures/glow.tga", pixel(3)}};
    const auto loaded = [&](const std::string& body, const std::string& kind = "") {
        auto files = pictures;
        files["arm.md5mesh"] = arm_mesh;
        files["materials/arm.mtr"] = "table wave { snap { 0, 1 } }\n" + kind + "models/arm\n{" + body + "}\n";
        return load_arm(std::move(files)).value();
    };
    const auto gray = [](const scene::Scene& scene, std::uint32_t image) {
        return image == scene::none ? -1 : scene.images.at(image).pixels.at(0);
    };
    for (const char* body :
         {"\n unsmoothedTangents\n diffusemap textures/skin.tga\n specularmap textures/none.tga\n"
          " bumpmap addnormals( textures/bumps.tga, heightmap( textures/none.tga, 4 ) )\n",
          "\n bumpmap addnormals(textures/bumps.tga, heightmap(textures/none.tga, 4))\n{ blend diffusemap\n "
          "map "
          "textures/skin.tga\n alphaTest 0.5 }\n{ blend specularmap\n map textures/none.tga }\n",
          "\n{ blend bumpmap\n map textures/bumps.tga }\n{ blend add\n map textures/glow.tga }\n"
          "{ blend DiffuseMap\n map makealpha(textures/skin.tga) }\n"}) {
        const scene::Scene scene = loaded(body);
        const scene::Material& material = scene.materials.at(0);
        EXPECT_EQ(gray(scene, material.base_color_texture.image), 1) << body;
        EXPECT_EQ(gray(scene, material.normal_texture.image), 2) << body;
        EXPECT_EQ(material.alpha_mode == scene::AlphaMode::mask, std::string_view(body).contains("alphaTest"))
            << body;
    }
    const scene::Scene glow = loaded("\n{ blend gl_one, gl_one\n map textures/glow.tga }\n", "material ");
    EXPECT_NE(glow.materials.at(0).base_color_texture.image, scene::none);
    EXPECT_TRUE(glow.materials.at(0).unlit);
    const scene::Scene none = loaded("\n{ blend none\n map textures/skin.tga }\n");
    EXPECT_EQ(none.materials.at(0).base_color_texture.image, scene::none);
}

// An existing image that cannot be used is not reported as missing.
TEST(Md5Texture, ReportsWhyAnImageIsNotUsed)
{
    const auto warnings_of = [](std::map<std::string, std::string> files, const Limits& limits = {}) {
        files["arm.md5mesh"] = arm_mesh;
        std::string all;
        for (const auto& warning : load_arm(std::move(files), limits).value().warnings)
            all += warning.code + ": " + warning.message + "\n";
        return all;
    };
    EXPECT_THAT(warnings_of({{"arm.tga", "no"}}),
                testing::StartsWith("invalid_image: the image 'arm.tga' cannot be used: "
                                    "TGA image: "));
    EXPECT_EQ(warnings_of({{"arm.tga", pixel(1)}}, {.image_pixels = 0}),
              "invalid_image: the image 'arm.tga' cannot be used: 1 x 1 pixels: more than the limit "
              "image_pixels = 0; the mesh has no texture\n");
    EXPECT_EQ(
        warnings_of({{"arm.tga", pixel(1)}}, {.total_pixels = 0}),
        "invalid_image: the image 'arm.tga' cannot be used: the pixels of all images: more than the limit "
        "total_pixels = 0; the mesh has no texture\n");
    EXPECT_EQ(warnings_of({}), "missing_image: no image exists for shader 'models/arm'; it has no texture\n");
    EXPECT_EQ(warnings_of({{"arm.tga", "no"}, {"skin.tga", pixel(1)}}).find("missing_image"),
              std::string::npos);
}

// The images of an arm and a frame with different shaders next to these files, and the warnings.
TEST(Md5Texture, OfAnotherMeshIsNeverGuessed)
{
    const std::string head = replaced(replaced(arm_mesh, "numMeshes 1", "numMeshes 2"), "models/arm", "arm");
    const std::string mesh = head.substr(head.find("mesh {"));
    const std::string two = head + replaced(mesh, "\"arm\"", "\"frame\"");
    const auto images_and_warnings = [&](const std::string& model, std::map<std::string, std::string> files,
                                         const Limits& limits = {}) {
        files["arm.md5mesh"] = model;
        std::string all;
        const auto loaded = load_arm(std::move(files), limits);
        for (const auto& warning : loaded.value().warnings)
            all += warning.code + ": " + warning.message + "\n";
        const auto dressed = std::ranges::count_if(
            loaded->materials, [](const auto& m) { return m.base_color_texture.image != scene::none; });
        return std::to_string(dressed) + " " + all;
    };
    const std::map<std::string, std::string> both{{"arm.tga", pixel(1)}, {"frame.tga", pixel(2)}};
    EXPECT_EQ(images_and_warnings(two, both), "2 ");
    EXPECT_THAT(
        images_and_warnings(two, {{"arm.tga", pixel(1)}, {"frame.tga", "no"}}),
        testing::MatchesRegex("1 invalid_image: the image 'frame.tga' cannot be used: [^\n]*; the mesh "
                              "has no texture\n"));
    EXPECT_EQ(images_and_warnings(two, both, {.images = 1}),
              "1 invalid_image: the image 'frame.tga' cannot be used: the images: more than the limit "
              "images = 1; the mesh has no texture\n");
    EXPECT_EQ(images_and_warnings(two, {{"arm.tga", pixel(1)}}),
              "1 missing_image: no image exists for shader 'frame'; it has no texture\n");
    const std::string three =
        replaced(head, "numMeshes 2", "numMeshes 3") + mesh + replaced(mesh, "\"arm\"", "\"frame\"");
    EXPECT_EQ(images_and_warnings(three, {{"arm.tga", pixel(1)}}),
              "1 missing_image: no image exists for shader 'frame'; it has no texture\n");
    // An image that no mesh names may be guessed, but not for a mesh whose own image is invalid.
    EXPECT_THAT(images_and_warnings(two, {{"arm.tga", pixel(1)}, {"wood.tga", pixel(2)}}),
                testing::StartsWith(
                    "2 found_elsewhere: the image of shader 'frame' is missing; the file 'wood.tga'"));
    EXPECT_THAT(
        images_and_warnings(two, {{"arm.tga", pixel(1)}, {"frame.tga", "no"}, {"wood.tga", pixel(2)}}),
        testing::StartsWith("1 invalid_image: "));
}

TEST(Md5Texture, MaterialsAreNamedByTheShader)
{
    const auto loaded = load_arm({{"arm.md5mesh", arm_mesh},
                                  {"n.tga", pixel(9)},
                                  {"md5.cfg", "md5bumpmap arm n.tga\nmdlalphatest 0.25"},
                                  {"arm.tga", pixel(1)}});
    ASSERT_TRUE(loaded);
    const scene::Material& material = loaded->materials.at(0);
    EXPECT_EQ(material.name, "models/arm");
    EXPECT_EQ(loaded->meshes[0].primitives[0].material, 0u);
    EXPECT_EQ(loaded->images.at(material.normal_texture.image).pixels[0], 9);
    EXPECT_EQ(material.alpha_mode, scene::AlphaMode::mask);
    EXPECT_EQ(material.alpha_cutoff, 0.25f);
}

TEST(Md5Texture, OfTheCorpus)
{
    const auto corpus = corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    const auto worn_by = [&](const char* file, std::size_t mesh) {
        auto source = MemorySource::folder_of(*corpus / file);
        const auto loaded = load_md5(source, {});
        if (!loaded) return loaded.error().detail;
        const auto& material = loaded->materials.at(loaded->meshes.at(mesh).primitives[0].material);
        const std::uint32_t image = material.base_color_texture.image;
        return image == scene::none ? std::string("none") : loaded->images.at(image).name;
    };
    EXPECT_EQ(worn_by("redeclipse/data/props/flag/mesh.md5mesh", 0), "pole_skin.png");
    EXPECT_EQ(worn_by("redeclipse/data/props/flag/mesh.md5mesh", 1), "flag_skin.png");
    EXPECT_EQ(worn_by("redeclipse/data/unnamed/door01/mesh.md5mesh", 0), "skin.png");
    EXPECT_EQ(worn_by("redeclipse/data/weapons/sword/sword.md5mesh", 0), "skin.dds");
    EXPECT_EQ(worn_by("assimp/models/MD5/SimpleCube.md5mesh", 0), "none");
}

// The normal map has no effect; without the color map the surface is white.
TEST(Md5Texture, MissingMapLeavesTheNeutralLook)
{
    for (const BrokenImage& image : broken_images()) {
        if (image.files.empty()) continue; // other files are tried then
        for (const bool is_color : {false, true}) {
            auto files = image.files;
            files["arm.md5mesh"] = arm_mesh;
            files["c.tga"] = pixel(1);
            files["md5.cfg"] =
                is_color ? "md5skin arm " + image.file : "md5skin arm c.tga\nmd5bumpmap arm " + image.file;
            const auto scene = load_arm(std::move(files)).value();
            const scene::Material& material = scene.materials.at(0);
            EXPECT_EQ(material.base_color, glm::vec4(1.0f));
            EXPECT_EQ(material.base_color_texture.image == scene::none, is_color);
            EXPECT_EQ(material.normal_texture.image, scene::none);
            expect_named(scene.warnings, image);
        }
    }
}
