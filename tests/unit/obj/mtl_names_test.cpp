// Look-up of files and materials by name.
#include <gmock/gmock.h>

#include "tests/unit/obj/mtl_samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::string green = tga(1, 1, {0, 255, 0, 255});

} // namespace

// Image names are relative to the library's folder.
TEST(ObjMtlNames, ImagesLieBesideTheirLibrary)
{
    const auto image = [&](const std::string& library, const std::string& map, const std::string& obj = "") {
        Files files{{"sub/a.mtl", library}, {"sub/t.tga", red}, {"t.tga", green}, {"only.tga", green}};
        files["b.mtl"] = "newmtl b\nmap_Kd t.tga\n";
        const auto scene =
            load_text(square + "mtllib sub/a.mtl\n" + obj + "usemtl " + map + "\nf 1 2 3 4\n", files);
        const auto& material = scene.materials.at(scene.meshes.at(0).primitives.at(0).material);
        return scene.images.at(material.base_color_texture.image).name + " " + codes(scene);
    };
    EXPECT_EQ(image("newmtl m\nmap_Kd t.tga\n", "m"), "sub/t.tga ");
    EXPECT_EQ(image("newmtl m\nmap_Kd ../t.tga\n", "m"), "t.tga ");
    EXPECT_EQ(image("newmtl m\nmap_Kd only.tga\n", "m"), "only.tga ");
    EXPECT_EQ(image("newmtl m\nmap_Kd T.TGA\n", "m"), "sub/t.tga found_elsewhere");
    EXPECT_EQ(image("newmtl m\nmap_Kd t.tga\n", "b", "mtllib b.mtl\n"), "t.tga ");
}

TEST(ObjMtlNames, ImagesByTheirCurrentName)
{
    const auto image = [&](const std::string& map, const std::string& file) {
        const auto scene = load_text(square + "mtllib a.mtl\nusemtl m\nf 1 2 3 4\n",
                                     {{"a.mtl", "newmtl m\nmap_Kd " + map + "\n"}, {file, red}});
        const bool usable = !scene.images.empty() && !scene.images[0].pixels.empty();
        return (usable ? "" : "none ") + codes(scene);
    };
    for (const char* extension : {"tif", "TIFF", "exr", "tga", "psd", "jp2", "ktx2", "svg"})
        EXPECT_EQ(image("t." + std::string(extension), "t.png.tga"), "none missing_image") << extension;
    for (const char* extension : {"tif", "TIFF", "exr", "psd", "jp2", "ktx2", "svg"})
        EXPECT_EQ(image("x\\t." + std::string(extension), "t.tga"), "found_elsewhere") << extension;
    EXPECT_EQ(image("my%20tex.tga", "my tex.tga"), "found_elsewhere");
    EXPECT_EQ(image("my%20tex.tga", "my%20tex.tga"), "");
    EXPECT_EQ(image("t.tga # comment", "t.tga"), "");
    EXPECT_EQ(image("t.tga\t# comment", "t.tga"), "");
    EXPECT_EQ(image("t # 2.tga", "t # 2.tga"), "");
    EXPECT_EQ(image("t#2.tga", "t#2.tga"), "");
    EXPECT_EQ(image("u.tga # comment", "t.tga"), "none missing_image");
}

TEST(ObjMtlNames, LibrariesWithACommentBehindAName)
{
    const auto scene = load_text(square + "mtllib a.mtl\ng Cube  # a cube\nusemtl Red\nf 1 2 3 4\n",
                                 {{"a.mtl", "newmtl Red # comment\nKd 1 0 0\n"}});
    EXPECT_EQ(codes(scene), "");
    EXPECT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.meshes.at(0).name, "Cube");
    EXPECT_EQ(load_text(square + "g Part #3\nf 1 2 3 4\n").meshes.at(0).name, "Part #3");
    EXPECT_EQ(load_text(square + "o Part#3 # third\nf 1 2 3 4\n").meshes.at(0).name, "Part#3");
}

TEST(ObjMtlNames, MaterialsWithACommentBehind)
{
    const auto colors = [](const std::string& used) {
        const auto scene = load_text(square + "mtllib a.mtl\nusemtl " + used + "\nf 1 2 3 4\n",
                                     {{"a.mtl", "newmtl x\nKd 1 1 1\nnewmtl x # d\nKd 0 0 0\n"}});
        return std::pair(scene.materials.at(scene.meshes.at(0).primitives.at(0).material).base_color.x,
                         codes(scene));
    };
    EXPECT_EQ(colors("x # c"), std::pair(1.0f, std::string()));
    EXPECT_EQ(colors("X # c"), std::pair(1.0f, std::string()));
    EXPECT_EQ(colors("x # d"), std::pair(0.0f, std::string()));
    EXPECT_EQ(colors("y # x").second, "missing_material");
}

TEST(ObjMtlNames, LibraryThatWasRenamedWithItsFile)
{
    const Files files{{"part.mtl", "newmtl m\nKd 1 1 1\n"}, {"other.mtl", "newmtl m\nKd 0 0 0\n"}};
    const auto scene = load_text(square + "mtllib old name.mtl\nusemtl m\nf 1 2 3 4\n", files);
    EXPECT_EQ(codes(scene), "missing_library mtl_companion");
    EXPECT_EQ(scene.warnings.back().message,
              "all libraries of the file are missing; 'part.mtl' next to the file is used");
    EXPECT_EQ(scene.materials.at(0).base_color.x, 1.0f);
    EXPECT_EQ(codes(load_text(square + "mtllib old.mtl other.mtl\nusemtl m\nf 1 2 3 4\n", files)),
              "missing_library");
    EXPECT_EQ(codes(load_text(square + "mtllib old.mtl\nf 1 2 3 4\n", files)), "missing_library");
}
