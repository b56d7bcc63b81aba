// Whatever the bytes: load_obj returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "tests/robustness/hostile.hpp"
#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/unit/obj/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::string model = "# a model\nmtllib m.mtl\no first\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 .5e0\nv 0 1 0\nvt "
                          "0 0\nvt 1. 1\nvn 0 0 1\nusemtl m\n"
                          "s 1\nf 1/1/1 2/2/1 3/1/1 4/2/1\nf -4 -3 \\\n -2\ng a b\no two\nl 1 2 3\np 4\ns "
                          "off\nf 1//1 3//1 4//1\nf 1 2 3 4 1\n#MRGB ff00ff00\n";
const std::string library =
    "newmtl m\nKd 1 0.5 0\nNs 10\nd 0.5\nmap_Kd -s 1 2 -clamp on p.tga\nmap_d p.tga\nmap_Bump -bm 2 p.tga\n"
    "map_Pr p.tga\nKe 0 0 0\nTr 0.1\nillum 2\n";
const Files files = {{"m.mtl", library}, {"p.tga", tga(2, 1, {1, 2, 3, 4, 5, 6, 7, 255})}};

void load_with(const std::string& text, Files others)
{
    expect_sane(try_obj(text, std::move(others)), text);
}
void load_model(const std::string& text)
{
    load_with(text, files);
}
void load_library(const std::string& text)
{
    Files changed = files;
    changed["m.mtl"] = text;
    load_with(model, std::move(changed));
}

std::string repeated(std::string_view text, int times)
{
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

} // namespace

TEST(RobustObj, CutEverywhere)
{
    cut_everywhere(model, load_model);
    cut_everywhere(library, load_library);
}

TEST(RobustObj, ChangedBytes)
{
    change_bytes(model, load_model);
    change_bytes(library, load_library);
}

TEST(RobustObj, Scrambled)
{
    scramble(model, 4000, load_model);
    scramble(library, 2000, load_library);
}

TEST(RobustObj, TinyLimits)
{
    for (std::uint64_t n = 0; n < 24; ++n) {
        Limits all;
        all.vertices = all.indices = all.total_pixels = n;
        all.meshes = all.materials = all.images = static_cast<std::uint32_t>(n);
        const auto loaded = try_obj(model, files, all);
        if (loaded) EXPECT_TRUE(scene::validate(*loaded));
    }
}

TEST(RobustObj, ManyThingsStayLinear)
{
    constexpr int many = 100'000;
    load_model(square + "f " + repeated("1 2 3 4 ", many) + "\n"); // one great polygon
    load_model(square + repeated("\\\n", many) + "f 1 2 3" + repeated("\\\n", many));
    load_model(square + "f 1 2 3\n" + repeated("o a\n", many));
    load_model(square + repeated("o a\nf 1 2 3\n", many));
    load_model(square + repeated("usemtl a\nf 1 2 3\nusemtl b\nf 2 3 4\n", many));
    load_model(square + repeated("s 1\nf 1 2 3\ns 2\nf 2 3 4\n", many));
    load_model(square + repeated("f 1 2 99\n", many));
    load_model(square + "f 1 2 9\n" + repeated("v 1 2 3\n", many)); // a second pass
    load_model(repeated("bogus\n", many) + square);
    load_model("v " + std::string(many, '9') + " 0 0\nv 0." + std::string(many, '1') + " 0 0\n");
    load_model(square + "mtllib " + repeated("a.mtl ", many) + "\nf 1 2 3\n");
    load_model(std::string(many, '\\') + square);
    load_model(std::string(many, '\r') + square);
    std::string groups = square; // ever new smoothing groups at one position
    for (int g = 1; g < many; ++g)
        groups += "s " + std::to_string(g) + "\nf 1 2 3\n";
    load_model(groups);
}
