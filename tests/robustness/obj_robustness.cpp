// Whatever the bytes: load_obj returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/repeated.hpp"
#include "tests/support/work_count.hpp"
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
    constexpr int many = 300;
    const auto expect_linear = [](std::string_view what, const std::string& before, std::string_view text,
                                  const std::string& after) {
        expect_nearly_linear(what, many, [&](int n) { load_model(before + repeated(n, text) + after); });
    };
    expect_linear("corners of one polygon", square + "f ", "1 2 3 4 ", "\n");
    expect_linear("continued lines before a face", square, "\\\n", "f 1 2 3");
    expect_linear("continued lines after a face", square + "f 1 2 3", "\\\n", "");
    expect_linear("objects without faces", square + "f 1 2 3\n", "o a\n", "");
    expect_linear("objects", square, "o a\nf 1 2 3\n", "");
    expect_linear("changes of the material", square, "usemtl a\nf 1 2 3\nusemtl b\nf 2 3 4\n", "");
    expect_linear("changes of the smoothing group", square, "s 1\nf 1 2 3\ns 2\nf 2 3 4\n", "");
    expect_linear("faces of missing vertices", square, "f 1 2 99\n", "");
    expect_linear("vertices after their face", square + "f 1 2 9\n", "v 1 2 3\n", ""); // a second pass
    expect_linear("unknown words", "", "bogus\n", square);
    expect_linear("digits before the point", "v ", "9", " 0 0\n");
    expect_linear("digits after the point", "v 0.", "1", " 0 0\n");
    expect_linear("material libraries", square + "mtllib ", "a.mtl ", "\nf 1 2 3\n");
    expect_linear("backslashes", "", "\\", square);
    expect_linear("carriage returns", "", "\r", square);
    expect_nearly_linear("smoothing groups at one position", many, [](int n) {
        std::string groups = square;
        for (int g = 1; g < n; ++g)
            groups += "s " + std::to_string(g) + "\nf 1 2 3\n";
        load_model(groups);
    });
}
