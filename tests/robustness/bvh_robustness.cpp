// Whatever the bytes: load_bvh returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/largest_allocation.hpp"
#include "tests/support/repeated.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/bvh/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::string wave = arm_hierarchy + arm_motion;

void load(const std::string& text)
{
    expect_sane(try_bvh(text), text);
}

} // namespace

TEST(RobustBvh, CutEverywhere)
{
    cut_everywhere(wave, load);
}

TEST(RobustBvh, ChangedBytes)
{
    change_bytes(wave, load);
}

TEST(RobustBvh, Scrambled)
{
    scramble(wave, 4000, load);
}

TEST(RobustBvh, TinyLimits)
{
    for (std::uint64_t n = 0; n < 40; ++n) {
        Limits all;
        all.key_values = n;
        all.joints = all.nodes = all.clips = all.depth = all.frames = static_cast<std::uint32_t>(n);
        expect_sane(try_bvh(wave, all), "limits");
    }
}

TEST(RobustBvh, HugeCountsDoNotAllocate)
{
    for (const char* count :
         {"4294967295", "1000000", "18446744073709551615", "-1", "1e9", "99999999999999999999"}) {
        expect_no_allocation_above("frames", 32'768, [&] {
            load(replaced_in(wave, "Frames: 2", fmt::format("Frames: {}", count)));
        });
        expect_no_allocation_above("channels", 32'768, [&] {
            load(replaced_in(wave, "CHANNELS 6", fmt::format("CHANNELS {}", count)));
        });
    }
}

TEST(RobustBvh, ManyThingsStayLinear)
{
    const std::string zeros = "0 0 0 0 0 0 0 0 0 0 0\n";
    expect_nearly_linear("frames", 300, [&](int n) {
        load(arm_hierarchy + fmt::format("MOTION\nFrames: {}\nFrame Time: 1\n", n) + repeated(n, zeros));
    });
    expect_nearly_linear("frames in one line", 300, [&](int n) {
        load(arm_hierarchy + fmt::format("MOTION\nFrames: {}\nFrame Time: 1\n", n) +
             repeated(n, "0 0 0 0 0 0 0 0 0 0 0 "));
    });
    expect_nearly_linear("joints in a chain", 300, [&](int n) {
        load("HIERARCHY\n" + repeated(n, "JOINT a {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n") +
             repeated(n, "}\n"));
    });
    expect_nearly_linear("roots", 300,
                         [&](int n) { load("HIERARCHY\n" + repeated(n, "ROOT a {\nOFFSET 0 1 0\n}\n")); });
    expect_nearly_linear("channels of one joint", 300, [&](int n) {
        load(fmt::format("HIERARCHY\nROOT a {{\nOFFSET 0 1 0\nCHANNELS {}", n) + repeated(n, " Xrotation") +
             "\n}\nMOTION\nFrames: 1\nFrame Time: 1\n" + repeated(n, "1 ") + "\n");
    });
    expect_nearly_linear("blank lines", 300,
                         [&](int n) { load(repeated(n, "\n") + wave + repeated(n, "\r\n")); });
    expect_nearly_linear("values that are not finite", 300, [&](int n) {
        load(arm_hierarchy + fmt::format("MOTION\nFrames: {}\nFrame Time: 1\n", n) +
             repeated(n, "nan 0 0 0 0 0 0 0 0 0 0\n"));
    });
}
