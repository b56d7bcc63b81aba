// Whatever the bytes: load_md5 returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/largest_allocation.hpp"
#include "tests/support/work_count.hpp"
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
            expect_no_allocation_above(word, 32'768,
                                       [&] { load_mesh(replaced(arm_mesh, word, name + " " + count)); });
        }
        for (const char* word : {"numFrames 2", "numAnimatedComponents 2", "numJoints 2"}) {
            const std::string name(word, std::string_view(word).find(' '));
            expect_no_allocation_above(
                word, 32'768, [&] { load_animation(replaced(arm_animation, word, name + " " + count)); });
        }
    }
}

TEST(RobustMd5, ManyThingsStayLinear)
{
    const auto repeated = [](int n, auto text_of) {
        std::string all;
        for (int i = 0; i < n; ++i)
            all += text_of(i);
        return all;
    };
    // With `weights` weights that all vertices share.
    const auto shared = [&](int vertices, int weights) {
        return fmt::format("mesh {{ numverts {}\n", vertices) +
               repeated(vertices, [&](int v) { return fmt::format("vert {} (0 0) 0 {}\n", v, weights); }) +
               fmt::format("numtris 1 tri 0 0 1 2 numweights {}\n", weights) +
               repeated(weights, [](int w) { return fmt::format("weight {} 0 0.0005 (1 2 3)\n", w); }) +
               "}\n";
    };
    const std::string one_joint = "joints {\n\"a\" -1 (0 0 0) (0 0 0)\n}\n";
    expect_nearly_linear("joints of one name, in chains", 1'000, [&](int n) {
        const auto joint = [](int j) {
            return fmt::format("\"same\" {} (0 0 0) (0 0 0)\n", j % 500 == 0 ? -1 : j - 1);
        };
        load_mesh("joints {\n" + repeated(n, joint) + "}\n" + shared(3, 1));
    });
    expect_nearly_linear("meshes without content", 800, [&](int n) {
        load_mesh(one_joint + repeated(n, [](int) { return "mesh{}\n"; }) + shared(3, 1));
    });
    expect_nearly_linear("vertices of shared weights", 30,
                         [&](int n) { load_mesh(one_joint + shared(n, 1'000)); });
    expect_nearly_linear("frames without content", 1'000, [&](int n) {
        load_animation(
            fmt::format("numFrames {} numJoints 1 numAnimatedComponents 0 hierarchy {{ \"tip\" -1 0 0 }} "
                        "baseframe {{ (0 0 0) (0 0 0) }}\n",
                        n) +
            repeated(n, [](int f) { return fmt::format("frame {} {{ }}\n", f); }));
    });
}
