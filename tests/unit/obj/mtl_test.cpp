#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "loaders/obj/meshes.hpp"
#include "loaders/obj/mtl_parser.hpp"
#include "tests/unit/obj/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;

namespace {

const std::string red = tga(1, 1, {255, 0, 0, 255});
const std::string ramp = tga(2, 1, {0, 0, 0, 255, 128, 128, 128, 255});
const std::string black_white = tga(2, 1, {0, 0, 0, 255, 255, 255, 255, 255});

// The material of a square that uses "m" of this library.
struct Loaded {
    scene::Scene scene;
    scene::Material material;
};
Loaded load_material(const std::string& properties, Files files = {})
{
    files["m.mtl"] = "newmtl m\n" + properties;
    Loaded out{load_text(square + "mtllib m.mtl\nusemtl m\nf 1 2 3 4\n", std::move(files)), {}};
    EXPECT_EQ(out.scene.materials.size(), 1u);
    out.material = out.scene.materials.at(out.scene.meshes.at(0).primitives.at(0).material);
    return out;
}

std::vector<obj::MtlMaterial> parse(std::string_view text)
{
    io::WarningLog warnings;
    return obj::parse_mtl(text, "m.mtl", 100, warnings);
}

} // namespace

TEST(ObjMtl, AnEmptyLineKeepsThePreviousValue)
{
    const auto loaded = load_material("Kd 0 1 0\nKd spectral x.rfl\nd 0.25\nd x\nPr 0.5\nPr\n");
    EXPECT_EQ(loaded.material.base_color, glm::vec4(0, 1, 0, 0.25f));
    EXPECT_EQ(loaded.material.roughness, 0.5f);
    EXPECT_EQ(codes(loaded.scene), "mtl_number mtl_number mtl_number");
}

TEST(ObjMtl, OpacityZeroOfEverythingIsShownOpaque)
{
    const auto loaded = load_material("Kd 1 0 0\nd 0.000000\nillum 9\n");
    EXPECT_EQ(loaded.material.base_color, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(loaded.material.alpha_mode, scene::AlphaMode::opaque);
    EXPECT_THAT(codes(loaded.scene), testing::HasSubstr("mtl_all_transparent"));
    const auto cut =
        load_material("d 0\nmap_Kd c.tga\nmap_d d.tga\n", {{"c.tga", ramp}, {"d.tga", black_white}});
    EXPECT_EQ(cut.material.base_color.w, 1.0f);
    EXPECT_EQ(cut.material.alpha_mode, scene::AlphaMode::mask) << "the image still defines the mask";
}

TEST(ObjMtl, OpacityZeroNextToVisibleMaterialsStays)
{
    const Files files{{"m.mtl", "newmtl a\nd 0\nnewmtl b\nKd 1 0 0\n"}};
    const auto both = load_text(square + "mtllib m.mtl\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n", files);
    ASSERT_EQ(both.materials.size(), 2u);
    EXPECT_EQ(both.materials[0].base_color.w, 0.0f);
    EXPECT_EQ(codes(both), "");
    const auto gray = load_text(square + "mtllib m.mtl\nf 1 3 4\nusemtl a\nf 1 2 3\n", files);
    EXPECT_EQ(gray.materials.at(0).base_color.w, 0.0f) << "faces without a material are visible";
    const auto unused = load_text(square + "mtllib m.mtl\nusemtl b\nf 1 2 3\n", files);
    EXPECT_EQ(codes(unused), "");
}

TEST(ObjMtl, LinesBeforeAMaterialAreReported)
{
    io::WarningLog warnings;
    obj::parse_mtl("# by hand\nKd 1 0 0\nKa 0 0 0\nnewmtl m\nKd 0 1 0\n", "m.mtl", 100, warnings);
    const auto told = warnings.take();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].code, "mtl_no_material");
    EXPECT_EQ(told[0].where, "m.mtl: line 2");
}

TEST(ObjMtl, ColorsBecomeLinear)
{
    const auto material =
        load_material("Kd 0.5 0 1\nKe 2 0 0\nKs 1 1 1\nNs 250\nd 0.25\nKa 1 1 1\nillum 2\nNi 1.45\n")
            .material;
    EXPECT_EQ(material.name, "m");
    EXPECT_FLOAT_EQ(material.base_color.x, scene::linear_from_srgb(0.5f));
    EXPECT_EQ(material.base_color.y, 0.0f);
    EXPECT_FLOAT_EQ(material.base_color.z, 1.0f);
    EXPECT_EQ(material.base_color.w, 0.25f);
    EXPECT_EQ(material.alpha_mode, scene::AlphaMode::blend);
    EXPECT_FLOAT_EQ(material.roughness, 0.5f);
    EXPECT_GT(material.emissive.x, 1.0f);
    EXPECT_TRUE(material.double_sided);
}

// Meshlab: Tr is opacity and d is never written.
TEST(ObjMtl, TransparencyStoredAsOpacity)
{
    EXPECT_EQ(load_material("Tr 1.000000").material.base_color.w, 1.0f);
    EXPECT_EQ(load_material("Tr 1.000000").material.alpha_mode, scene::AlphaMode::opaque);
    const auto alphas = [](const std::string& second) {
        const auto scene = load_text(square + "mtllib m.mtl\nf 1 2 3\n",
                                     {{"m.mtl", "newmtl a\nTr 1\nnewmtl b\n" + second + "\n"}});
        return std::pair(scene.materials.at(0).base_color.w, scene.materials.at(1).base_color.w);
    };
    EXPECT_EQ(alphas("Tr 0.25"), std::pair(1.0f, 0.25f));
    EXPECT_EQ(alphas("Kd 1 1 1"), std::pair(1.0f, 1.0f));
    EXPECT_EQ(alphas("Tr 0"), std::pair(0.0f, 1.0f)) << "some material is opaque by the usual rule";
    EXPECT_EQ(alphas("d 1"), std::pair(0.0f, 1.0f));
}

// As Maya writes it: the texture is not multiplied.
TEST(ObjMtl, BlackColorDoesNotHideAMap)
{
    for (const std::string zero : {"0 0 0", "0.00 0.00 0.00", "-0 0 0.0", "0"}) {
        const auto loaded = load_material("Kd " + zero + "\nmap_Kd r.tga", {{"r.tga", red}});
        EXPECT_EQ(loaded.material.base_color, glm::vec4(1.0f)) << zero;
        EXPECT_EQ(codes(loaded.scene), "mtl_black_map") << zero;
    }
    const auto dark = load_material("Kd 0.01 0 0\nmap_Kd r.tga", {{"r.tga", red}});
    EXPECT_EQ(glm::vec3(dark.material.base_color), scene::linear_from_srgb(glm::vec3(0.01f, 0.0f, 0.0f)));
    EXPECT_EQ(load_material("Kd 0 0 0").material.base_color, glm::vec4(0, 0, 0, 1));
    EXPECT_EQ(load_material("Kd 0 0 0\nmap_Kd gone.png").material.base_color, glm::vec4(0, 0, 0, 1))
        << "the color alone is used";
}

TEST(ObjMtl, TransparencyAndItsOpposite)
{
    EXPECT_FLOAT_EQ(load_material("Tr 0.25").material.base_color.w, 0.75f);
    EXPECT_EQ(load_material("Tr 0.25\nd 1").material.base_color.w, 1.0f);
    EXPECT_EQ(load_material("d -halo 0.5").material.base_color.w, 0.5f);
    EXPECT_EQ(load_material("").material.alpha_mode, scene::AlphaMode::opaque);
}

TEST(ObjMtl, PhysicalValuesCount)
{
    const auto material = load_material("Pr 0.25\nPm 0.75\nNs 1000\n").material;
    EXPECT_EQ(material.roughness, 0.25f);
    EXPECT_EQ(material.metallic, 0.75f);
    EXPECT_EQ(load_material("Ks 0 0 0\nNs 500").material.roughness, 1.0f);
}

TEST(ObjMtl, MapOptions)
{
    const auto all = parse("newmtl a\nmap_Kd -o 0.1 0.2 0.3 -s 2 3 -t 1 -mm 0 1 -blendu off -clamp on "
                           "-texres 512 -imfchan r my picture.png\n"
                           "bump -bm 0.5 b.png\nmap_d -unknown hello world -clamp on \\\n c.png\nmap_Ke "
                           "\"quoted name.png\"\nmap_Pr -s 2 x.png\n");
    const auto& material = all.at(0);
    EXPECT_EQ(material.diffuse_map.file, "my picture.png");
    EXPECT_EQ(material.diffuse_map.offset, glm::vec2(0.1f, 0.2f));
    EXPECT_EQ(material.diffuse_map.scale, glm::vec2(2, 3));
    EXPECT_TRUE(material.diffuse_map.clamp);
    EXPECT_EQ(material.bump_map.file, "b.png");
    EXPECT_EQ(material.bump_map.bump, 0.5f);
    EXPECT_EQ(material.dissolve_map.file, "c.png");
    EXPECT_TRUE(material.dissolve_map.clamp);
    EXPECT_EQ(material.emissive_map.file, "quoted name.png");
    EXPECT_EQ(material.roughness_map.scale, glm::vec2(2, 1));
}

TEST(ObjMtl, TextureTransformsAreFlipped)
{
    const auto texture =
        load_material("map_Kd -s 2 4 -o 0.5 0.25 r.tga", {{"r.tga", red}}).material.base_color_texture;
    EXPECT_EQ(texture.scale, glm::vec2(2, 4));
    EXPECT_EQ(texture.offset, glm::vec2(0.5f, 1.0f - 4.0f - 0.25f));
    EXPECT_EQ(load_material("map_Kd r.tga", {{"r.tga", red}}).material.base_color_texture.offset,
              glm::vec2(0));
}

TEST(ObjMtl, AMissingMapLeavesTheNeutralLook)
{
    const auto without = [](const std::string& text) { return load_material(text).material; };
    EXPECT_EQ(without("Ke 1 1 1\nmap_Ke gone.png").emissive, glm::vec3(0.0f));
    EXPECT_EQ(without("map_Ke gone.png").emissive, glm::vec3(0.0f));
    EXPECT_EQ(without("Ke 1 1 1\nmap_Kd gone.png").emissive, glm::vec3(1.0f)) << "another map is missing";
    const auto see_through = without("map_d gone.png");
    EXPECT_EQ(see_through.alpha_mode, scene::AlphaMode::opaque);
    EXPECT_EQ(see_through.base_color.w, 1.0f);
    const auto rough = without("Pr 0.25\nmap_Pr gone.png\nPm 0.5\nmap_Pm gone.png");
    EXPECT_EQ(rough.roughness, 0.25f);
    EXPECT_EQ(rough.metallic, 0.5f);
    EXPECT_EQ(rough.metallic_roughness_texture.image, scene::none);
    EXPECT_EQ(without("norm gone.png").normal_texture.image, scene::none);
    EXPECT_EQ(without("map_Bump gone.png").normal_texture.image, scene::none);
}

TEST(ObjMtl, PicturesAreFoundAnyway)
{
    for (const char* name :
         {"r.tga", "R.TGA", "C:\\models\\tex\\r.tga", "/home/me/r.tga", "tex\\r.tga", "r.png", "r"}) {
        const auto loaded = load_material(std::string("map_Kd ") + name, {{"r.tga", red}});
        ASSERT_EQ(loaded.scene.images.size(), 1u) << name;
        EXPECT_THAT(loaded.scene.images[0].pixels, ElementsAre(255, 0, 0, 255)) << name;
        EXPECT_EQ(codes(loaded.scene), std::string(name) == "r.tga" ? "" : "found_elsewhere") << name;
    }
    const auto missing = load_material("map_Kd gone.png\nKd 1 0 0");
    EXPECT_EQ(codes(missing.scene), "missing_image");
    EXPECT_TRUE(missing.scene.images.at(0).pixels.empty());
    EXPECT_EQ(missing.material.base_color.x, 1.0f);
    EXPECT_EQ(codes(load_material("map_Kd bad.png", {{"bad.png", "no picture"}}).scene), "invalid_image");
}

TEST(ObjMtl, OpacityMapsGoIntoTheAlpha)
{
    const auto cut = load_material("map_Kd r.tga\nmap_d bw.tga", {{"r.tga", red}, {"bw.tga", black_white}});
    EXPECT_EQ(cut.material.alpha_mode, scene::AlphaMode::mask);
    EXPECT_THAT(cut.scene.images.at(cut.material.base_color_texture.image).pixels,
                ElementsAre(255, 0, 0, 0, 255, 0, 0, 255));
    const auto soft = load_material("map_d ramp.tga", {{"ramp.tga", ramp}});
    EXPECT_EQ(soft.material.alpha_mode, scene::AlphaMode::blend);
    EXPECT_THAT(soft.scene.images.at(soft.material.base_color_texture.image).pixels,
                ElementsAre(255, 255, 255, 0, 255, 255, 255, 128));
    const auto own = load_material("map_Kd a.tga\nmap_d a.tga", {{"a.tga", tga(1, 1, {1, 2, 3, 100})}});
    EXPECT_EQ(own.scene.images.size(), 1u);
    EXPECT_EQ(own.material.alpha_mode, scene::AlphaMode::blend);
}

TEST(ObjMtl, PhysicalMapsArePacked)
{
    const auto loaded = load_material("map_Pr ramp.tga\nmap_Pm r.tga", {{"r.tga", red}, {"ramp.tga", ramp}});
    const auto& image = loaded.scene.images.at(loaded.material.metallic_roughness_texture.image);
    EXPECT_THAT(image.pixels, ElementsAre(255, 0, 255, 255, 255, 128, 255, 255));
    EXPECT_EQ(loaded.material.metallic, 1.0f);
    EXPECT_EQ(loaded.material.roughness, 1.0f);
}

TEST(ObjMtl, BumpsBecomeNormals)
{
    const auto heights =
        load_material("map_Bump -bm 2 flat.tga", {{"flat.tga", tga(2, 1, {9, 9, 9, 255, 9, 9, 9, 255})}});
    const auto& image = heights.scene.images.at(heights.material.normal_texture.image);
    EXPECT_THAT(image.pixels, ElementsAre(128, 128, 255, 255, 128, 128, 255, 255));
    const auto normals = load_material("bump n.tga", {{"n.tga", tga(1, 1, {128, 128, 255, 255})}});
    EXPECT_EQ(normals.scene.images.size(), 1u);
    EXPECT_EQ(normals.material.normal_texture.image, 0u);
    EXPECT_EQ(load_material("norm n.tga", {{"n.tga", red}}).material.normal_texture.image, 0u);
}

TEST(ObjMtl, NormalMapsHaveAScaleAndGoBeforeBumps)
{
    const std::string blue = tga(1, 1, {128, 128, 255, 255});
    const Files files{{"n.tga", blue}, {"b.tga", blue}};
    const auto scaled = load_material("norm -bm 0.5 n.tga", files);
    EXPECT_EQ(scaled.material.normal_scale, 0.5f);
    EXPECT_EQ(codes(scaled.scene), "");
    const auto both = load_material("map_Bump b.tga\nnorm n.tga", files);
    EXPECT_EQ(both.scene.images.at(both.material.normal_texture.image).name, "n.tga");
    EXPECT_EQ(codes(both.scene), "mtl_not_shown");
    EXPECT_EQ(codes(load_material("map_Bump n.tga\nnorm n.tga", files).scene), "") << "nothing is lost";
}

TEST(ObjMtl, ARepeatedNameIsReportedOnce)
{
    const auto loaded = load_text(square + "mtllib m.mtl\nusemtl m\nf 1 2 3\n",
                                  {{"m.mtl", "newmtl m\nKd 1 1 1\nnewmtl m\nnewmtl m\nnewmtl n\n"}});
    EXPECT_EQ(codes(loaded), "mtl_duplicate_material");
    EXPECT_EQ(loaded.warnings[0].where, "m.mtl: line 3");
    EXPECT_EQ(loaded.materials.size(), 2u);
    EXPECT_EQ(loaded.materials[0].base_color.x, 1.0f);
}

TEST(ObjMtl, LibrariesAreFound)
{
    const auto color = [](const std::string& obj, Files files) {
        const auto scene = load_text(square + obj + "\nf 1 2 3\n", std::move(files));
        return scene.materials.at(scene.meshes.at(0).primitives.at(0).material).base_color.x;
    };
    const std::string m = "newmtl m\nKd 1 1 1\n";
    EXPECT_EQ(color("mtllib my own.mtl\nusemtl m", {{"my own.mtl", m}}), 1.0f);
    EXPECT_EQ(color("mtllib a.mtl my own.mtl\nusemtl m", {{"a.mtl", "newmtl a"}, {"my own.mtl", m}}), 1.0f);
    EXPECT_EQ(color("mtllib a.mtl\nmtllib b.mtl\nusemtl m", {{"a.mtl", "newmtl a"}, {"b.mtl", m}}), 1.0f);
    EXPECT_EQ(color("usemtl m\nmtllib a.mtl", {{"a.mtl", m}}), 1.0f);
    EXPECT_EQ(color("mtllib .\\Lib\\A.MTL\nusemtl M", {{"lib/a.mtl", m}}), 1.0f);
    EXPECT_EQ(color("usemtl m", {{"part.mtl", m}}), 1.0f);
    EXPECT_EQ(color("mtllib a b.mtl # it\nusemtl m", {{"a b.mtl", m}}), 1.0f);
    EXPECT_EQ(color("mtllib \"my own.mtl\"\nusemtl m", {{"my own.mtl", m}}), 1.0f);
    EXPECT_EQ(color("mtllib a.mtl\nusemtl my material", {{"a.mtl", "newmtl my material \nKd 1 1 1"}}), 1.0f);
    const auto missing = load_text(square + "mtllib gone.mtl\nusemtl m\nf 1 2 3\n");
    EXPECT_EQ(codes(missing), "missing_library missing_material");
    EXPECT_EQ(missing.warnings[0].where, "line 5");
    EXPECT_EQ(missing.warnings[1].where, "line 6");
    EXPECT_EQ(missing.materials.at(0).name, "m");
}

TEST(ObjMtl, UnknownWordsWarn)
{
    const auto loaded = load_material("map_Ks k.png\nbogus 1\nKd spectral a.rfl\nNs x\n");
    EXPECT_EQ(codes(loaded.scene), "mtl_not_shown mtl_unknown_word mtl_number mtl_number");
    EXPECT_EQ(loaded.scene.warnings[1].where, "m.mtl: line 3");
    const auto image = load_material("Kd 1 1 1\nmap_Kd gone.png\n").scene.warnings.at(0);
    EXPECT_EQ(image.code, "missing_image");
    EXPECT_EQ(image.where, "m.mtl: line 1") << "where the material begins";
}

TEST(ObjMtl, CoatAndSheenAreLayers)
{
    const auto extensions = [](const std::string& text) {
        return load_material(text).scene.materials.at(0).extensions;
    };
    EXPECT_EQ(extensions("Kd 1 1 1\nPs 0\nPc 0\nPcr 0.03\n"), scene::MaterialExtensions())
        << "as Blender writes them all";
    const auto coated = extensions("Pc 0.5\nPcr 0.25\nPs 2\n");
    EXPECT_EQ(coated.clearcoat, 0.5f);
    EXPECT_EQ(coated.clearcoat_roughness, 0.25f);
    EXPECT_EQ(coated.sheen, glm::vec3(1.0f));
}

TEST(ObjMtl, UnsupportedContentIsReported)
{
    const auto told = [](const std::string& text) {
        io::WarningLog log;
        obj::parse_mtl("newmtl a\n" + text, "m.mtl", 100, log);
        std::string all;
        for (const auto& warning : log.take())
            all += warning.message + "|";
        return all;
    };
    EXPECT_EQ(told("map_Pc c.png\naniso 0.5\nKa 1 1 1\nNi 1.5\nillum 2\n"),
              "map_pc is not supported; it is ignored|aniso is not supported; it is ignored|");
}

TEST(ObjMtl, LightThatIsNotShownWarnsOnceALibrary)
{
    const auto told = [](const std::string& text) {
        io::WarningLog log;
        obj::parse_mtl(text, "m.mtl", 100, log);
        std::string all;
        for (const auto& warning : log.take())
            all += warning.code + " at " + warning.where + ": " + warning.message;
        return all;
    };
    EXPECT_EQ(told("newmtl a\nTf 1 1 1\nTf 0 0 0\nTf 1\nillum 0\nillum 3\nillum x\nsharpness 60\n"), "");
    EXPECT_EQ(told("newmtl a\nillum 7\nTf 0.1 0.2 0.3\nnewmtl b\nillum 7\nillum 4\nsharpness 200\n"),
              "mtl_not_shown at m.mtl: filtered, reflected or refracted light is not supported: "
              "Tf, illum 4, illum 7, sharpness");
}

TEST(ObjMtl, OpacityUsesTheTransformOfTheColor)
{
    const std::string color = "map_Kd -s 2 2 red.tga\n";
    const auto codes_of = [&](const std::string& opacity) {
        return codes(load_material(color + opacity, {{"red.tga", red}, {"ramp.tga", ramp}}).scene);
    };
    EXPECT_EQ(codes_of("map_d -s 2 2 ramp.tga\n"), "");
    EXPECT_EQ(codes_of("map_d ramp.tga\n"), "mtl_option");
}

TEST(ObjMtl, KeepsToItsLimits)
{
    Limits limits;
    limits.images = 1;
    limits.materials = 2;
    const auto loaded = try_obj(square + "mtllib m.mtl\nusemtl b\nf 1 2 3\n",
                                {{"m.mtl", "newmtl a\nmap_Kd x.tga\nnewmtl b\nmap_Kd y.tga\nnewmtl c\n"},
                                 {"x.tga", red},
                                 {"y.tga", red}},
                                limits);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->images.size(), 1u);
    EXPECT_EQ(loaded->materials.size(), 2u);
    EXPECT_THAT(codes(*loaded), testing::HasSubstr("mtl_limit"));
    limits.total_pixels = 0;
    EXPECT_TRUE(
        try_obj(square + "mtllib m.mtl\n", {{"m.mtl", "newmtl a\nmap_Kd x.tga"}, {"x.tga", red}}, limits));
}
