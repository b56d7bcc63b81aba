// Which file and which material a name means.
#include <gmock/gmock.h>

#include "tests/unit/obj/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::string red = tga(1, 1, {255, 0, 0, 255});
const std::string green = tga(1, 1, {0, 255, 0, 255});

} // namespace

// A library in a folder of its own means the pictures beside it.
TEST(ObjMtlNames, PicturesLieBesideTheirLibrary)
{
    const auto image = [&](const std::string& library, const std::string& map, const std::string& obj = "") {
        Files files{{"sub/a.mtl", library}, {"sub/t.tga", red}, {"t.tga", green}, {"only.tga", green}};
        files["b.mtl"] = "newmtl b\nmap_Kd t.tga\n";
        const auto scene =
            load_text(square + "mtllib sub/a.mtl\n" + obj + "usemtl " + map + "\nf 1 2 3 4\n", files);
        const auto& material = scene.materials.at(scene.meshes.at(0).primitives.at(0).material);
        return scene.images.at(material.base_colour_texture.image).name + " " + codes(scene);
    };
    EXPECT_EQ(image("newmtl m\nmap_Kd t.tga\n", "m"), "sub/t.tga ");
    EXPECT_EQ(image("newmtl m\nmap_Kd ../t.tga\n", "m"), "t.tga ");
    EXPECT_EQ(image("newmtl m\nmap_Kd only.tga\n", "m"), "only.tga ");
    EXPECT_EQ(image("newmtl m\nmap_Kd T.TGA\n", "m"), "sub/t.tga found_elsewhere");
    EXPECT_EQ(image("newmtl m\nmap_Kd t.tga\n", "b", "mtllib b.mtl\n"), "t.tga ");
}
