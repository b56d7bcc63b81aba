// Whatever the bytes: load_md5 returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "tests/robustness/hostile.hpp"
#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/unit/md5/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void load_mesh(const std::string& text)
{
    expect_sane(load_arm({{"arm.md5mesh", text}, {"a.md5anim", arm_animation}}), text);
}
void load_animation(const std::string& text)
{
    expect_sane(load_arm({{"arm.md5mesh", arm_mesh}, {"a.md5anim", text}}), text);
}
void load_lone_animation(const std::string& text)
{
    MemorySource source("a.md5anim", {{"a.md5anim", text}});
    expect_sane(load_md5(source, {}), text);
}

} // namespace

TEST(RobustMd5, CutEverywhere)
{
    cut_everywhere(arm_mesh, load_mesh);
    cut_everywhere(arm_animation, load_animation);
    cut_everywhere(arm_animation, load_lone_animation);
}

TEST(RobustMd5, ChangedBytes)
{
    change_bytes(arm_mesh, load_mesh);
    change_bytes(arm_animation, load_animation);
}

TEST(RobustMd5, Scrambled)
{
    scramble(arm_mesh, 3000, load_mesh);
    scramble(arm_animation, 3000, load_animation);
    scramble(arm_animation, 1000, load_lone_animation);
}

TEST(RobustMd5, TinyLimits)
{
    for (std::uint64_t n = 0; n < 8; ++n) {
        const auto small = static_cast<std::uint32_t>(n);
        Limits all;
        all.vertices = all.indices = all.influences = all.key_values = n;
        all.joints = all.meshes = all.materials = all.images = all.clips = all.depth = all.nodes = small;
        expect_sane(load_arm({{"arm.md5mesh", arm_mesh}, {"a.md5anim", arm_animation}}, all), "limits");
    }
}

TEST(RobustMd5, HugeCountsDoNotAllocate)
{
    for (const char* count : {"4294967294", "1000000", "64000000", "-1", "1e9", "99999999999999999999"}) {
        for (const char* word : {"numverts 3", "numtris 1", "numweights 4"}) {
            const std::string name(word, std::string_view(word).find(' '));
            load_mesh(replaced(arm_mesh, word, name + " " + count));
        }
        for (const char* word : {"numFrames 2", "numAnimatedComponents 2", "numJoints 2"}) {
            const std::string name(word, std::string_view(word).find(' '));
            load_animation(replaced(arm_animation, word, name + " " + count));
        }
    }
}

TEST(RobustMd5, ManyThingsStayLinear)
{
    // Joints in a chain the wrong way round, each twice in name; many meshes of one word; one weight run
    // shared by all vertices.
    std::string joints = "joints {\n";
    for (int j = 0; j < 60'000; ++j)
        joints += "\"same\" " + std::to_string(j % 500 == 0 ? -1 : j - 1) + " (0 0 0) (0 0 0)\n";
    joints += "}\n";
    std::string meshes;
    for (int m = 0; m < 50'000; ++m)
        meshes += "mesh{}\n";
    std::string shared = "mesh { numverts 2000\n";
    for (int v = 0; v < 2000; ++v)
        shared += "vert " + std::to_string(v) + " (0 0) 0 2000\n";
    shared += "numtris 1 tri 0 0 1 2 numweights 2000\n";
    for (int w = 0; w < 2000; ++w)
        shared += "weight " + std::to_string(w) + " 0 0.0005 (1 2 3)\n";
    load_mesh(joints + meshes + shared + "}\n");
    std::string frames = "numFrames 100000 numJoints 1 numAnimatedComponents 0 hierarchy { \"tip\" -1 0 0 } "
                         "baseframe { (0 0 0) (0 0 0) }\n";
    for (int f = 0; f < 100'000; ++f)
        frames += "frame " + std::to_string(f) + " { }\n";
    load_animation(frames);
}
