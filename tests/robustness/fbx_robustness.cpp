// Whatever the bytes: load_fbx returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/export/fbx/fbx_writer.hpp"
#include "loaders/fbx/fbx.hpp"
#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/fbx/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void load_within(const std::string& bytes, const Limits& limits)
{
    MemorySource source("m.fbx", {{"m.fbx", bytes}});
    expect_sane(load_fbx(source, limits));
}

void load(const std::string& bytes)
{
    load_within(bytes, {});
}

std::vector<std::string> texts()
{
    return {std::string(moving_fbx_7), std::string(moving_fbx_6), std::string(moving_fbx_5)};
}

std::vector<std::string> binaries()
{
    std::vector<std::string> all;
    for (const auto& scene : {skinned_bar(), morphing_quad()}) {
        const auto file = exporting::write_fbx(scene, "m").at(0);
        all.emplace_back(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    }
    return all;
}

std::string replaced(std::string_view text, std::string_view what, const std::string& by)
{
    std::string changed(text);
    const auto at = changed.find(what);
    EXPECT_NE(at, changed.npos) << what;
    return changed.replace(at, what.size(), by);
}

} // namespace

TEST(RobustFbx, SamplesLoad)
{
    for (const std::string& sample : texts()) {
        MemorySource source("m.fbx", {{"m.fbx", sample}});
        const auto loaded = load_fbx(source, {});
        ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
        EXPECT_EQ(loaded->clips.size(), 1u);
    }
}

TEST(RobustFbx, CutEverywhere)
{
    for (const std::string& sample : texts())
        cut_everywhere(sample, load);
    for (const std::string& sample : binaries())
        cut_everywhere(sample.substr(0, 4096), load);
}

TEST(RobustFbx, ChangedBytes)
{
    for (const std::string& sample : binaries())
        change_bytes(sample.substr(0, 2048), load);
    change_bytes(std::string(moving_fbx_6), load);
}

TEST(RobustFbx, Scrambled)
{
    for (const std::string& sample : texts())
        scramble(sample, 1500, load);
    for (const std::string& sample : binaries())
        scramble(sample, 1000, load);
}

TEST(RobustFbx, TinyLimits)
{
    for (std::uint64_t n = 0; n < 12; ++n) {
        const auto small = static_cast<std::uint32_t>(n);
        Limits all;
        all.vertices = all.indices = all.influences = all.morph_deltas = all.key_values = n;
        all.nodes = all.joints = all.meshes = all.materials = all.clips = all.depth = small;
        for (const std::string& sample : texts()) {
            load_within(sample, all);
            load_within(sample, {.key_values = n * 10});
            load_within(sample, {.depth = small});
        }
    }
}

TEST(RobustFbx, ExtremeNumbersLoadOrFail)
{
    for (const std::string number : {"1e300", "-1e300", "nan", "inf", "9223372036854775807", "1e-300"}) {
        for (const std::string_view place : {"90,720", "-45.5", "50,100", "2,1,1", "0,0,30", "0,1,0"})
            load(replaced(moving_fbx_7, place, number + ",1,1"));
        load(replaced(moving_fbx_7, "46186158000", number));
        load(replaced(moving_fbx_7, "0,11546539500", fmt::format("{0},{0}", number)));
        load(replaced(moving_fbx_6, "0,92372316000", "0," + number));
    }
}

TEST(RobustFbx, ManyThingsStayLinear)
{
    const auto load_with = [](const std::string& objects, const std::string& connections) {
        load(replaced(replaced(moving_fbx_7, "AnimationStack:", objects + "AnimationStack:"),
                      "C: \"OO\",21,20", connections));
    };
    expect_nearly_linear("layers with one curve", 8, [&](int n) {
        std::string objects, connections;
        for (int i = 100; i < 100 + n; ++i) {
            objects += "AnimationLayer: " + std::to_string(i) + ", \"AnimLayer::l\", \"\" { }\n";
            connections += "C: \"OO\"," + std::to_string(i) + ",20\nC: \"OO\",35," + std::to_string(i) + "\n";
        }
        load_with(objects, connections);
    });
    // Each depends on all above it.
    expect_work_below("160 uneven scales that depend on each other", 250'000'000, [&] {
        std::string objects, connections;
        for (int i = 100; i < 260; ++i) {
            objects += "Model: " + std::to_string(i) + ", \"Model::n\", \"Null\" { Properties70: {\n" +
                       "P: \"InheritType\", \"enum\", \"\", \"\",0\nP: \"Lcl Scaling\", \"\", \"\", "
                       "\"A\",1,2,1 } }\n";
            connections +=
                "C: \"OO\"," + std::to_string(i) + "," + std::to_string(i == 100 ? 10 : i - 1) + "\n";
        }
        load_with(objects, connections + "C: \"OO\",21,20");
    });
}

TEST(RobustFbx, TurnsOfManyRoundsAreBounded)
{
    expect_work_below("1e29 degrees", 1'400'000'000,
                      [] { load(replaced(moving_fbx_7, "0,90,720,-45.5", "0,1e29,-1e29,5e28")); });
    expect_work_below("repeated with a period of two ticks", 400'000'000,
                      [] { load(replaced(moving_fbx_7, "20000000000,40000000000", "1,2")); });
}
