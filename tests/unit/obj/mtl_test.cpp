#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "loaders/obj/mtl_parser.hpp"
#include "tests/unit/obj/mtl_samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

TEST(ObjMtl, EmptyLineKeepsThePreviousValue)
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
    const auto reported = warnings.take();
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_EQ(reported[0].code, "mtl_no_material");
    EXPECT_EQ(reported[0].where, "m.mtl: line 2");
}

TEST(ObjMtl, ColorsBecomeLinear)
{
    const auto material =
        load_material("Kd 0.5 0 1\nKe 2 0 0\nKs 1 1 1\nNs 250\nd 0.25\nKa 1 1 1\nillum 2\nNi 1.45\n")
            .material;
    EXPECT_EQ(material.name, "m");
    EXPECT_FLOAT_EQ(material.base_color.x, linear_from_srgb(0.5f));
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

TEST(ObjMtl, RepeatedNameIsReportedOnce)
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
    const auto warnings_of = [](const std::string& text) {
        io::WarningLog log;
        obj::parse_mtl("newmtl a\n" + text, "m.mtl", 100, log);
        std::string all;
        for (const auto& warning : log.take())
            all += warning.message + "|";
        return all;
    };
    EXPECT_EQ(warnings_of("map_Pc c.png\naniso 0.5\nKa 1 1 1\nNi 1.5\nillum 2\n"),
              "map_Pc is not supported; it is ignored|aniso is not supported; it is ignored|");
}

TEST(ObjMtl, UnsupportedLightWarnsOncePerLibrary)
{
    const auto warnings_of = [](const std::string& text) {
        io::WarningLog log;
        obj::parse_mtl(text, "m.mtl", 100, log);
        std::string all;
        for (const auto& warning : log.take())
            all += warning.code + " at " + warning.where + ": " + warning.message;
        return all;
    };
    EXPECT_EQ(warnings_of("newmtl a\nTf 1 1 1\nTf 0 0 0\nTf 1\nillum 0\nillum 3\nillum x\nsharpness 60\n"),
              "");
    EXPECT_EQ(warnings_of("newmtl a\nillum 7\nTf 0.1 0.2 0.3\nnewmtl b\nillum 7\nillum 4\nsharpness 200\n"),
              "mtl_not_shown at m.mtl: filtered, reflected or refracted light is not supported: "
              "Tf, illum 4, illum 7, sharpness");
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
