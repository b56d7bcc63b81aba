// Whatever the bytes: load_vrm returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/vrm/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void load_file(const std::string& bytes)
{
    is_vrm(std::as_bytes(std::span(bytes)));
    expect_sane(try_vrm(bytes));
}

// `n` copies of a text with commas between.
std::string listed(int n, std::string_view text)
{
    std::string all;
    for (int i = 0; i < n; ++i)
        all += fmt::format("{}{}", i == 0 ? "" : ",", text);
    return all;
}

std::vector<std::string> all_files()
{
    return {vrm_0().glb(), vrm_1().glb(), vrma().glb()};
}

} // namespace

TEST(RobustVrm, CutEverywhere)
{
    for (const std::string& bytes : all_files())
        cut_everywhere(bytes, load_file);
}

TEST(RobustVrm, CutTexts)
{
    for (const GltfBuilder& builder : {vrm_0(), vrm_1(), vrma()})
        cut_everywhere(builder.json(false), load_file);
}

TEST(RobustVrm, ChangedBytes)
{
    for (const std::string& bytes : all_files())
        change_bytes(bytes, load_file);
}

TEST(RobustVrm, Scrambled)
{
    for (const GltfBuilder& builder : {vrm_0(), vrm_1(), vrma()}) {
        scramble(builder.glb(), 1000, load_file);
        scramble(builder.json(false), 1000, load_file);
    }
}

TEST(RobustVrm, TinyLimits)
{
    for (const std::string& bytes : all_files())
        for (std::uint64_t n = 0; n < 40; ++n) {
            Limits all;
            all.vertices = all.indices = all.key_values = all.morph_deltas = n;
            all.nodes = all.meshes = all.materials = all.clips = static_cast<std::uint32_t>(n);
            expect_sane(try_vrm(bytes, all), "limits");
        }
}

TEST(RobustVrm, ManyEntriesStayLinear)
{
    expect_nearly_linear("bones", 300,
                         [&](int n) { load_file(vrm_0(listed(n, R"({"bone":"hips","node":1})")).glb()); });
    expect_nearly_linear("annotations", 300, [&](int n) {
        load_file(vrm_1(figure_bones(), fmt::format(R"("firstPerson":{{"meshAnnotations":[{}]}})",
                                                    listed(n, R"({"node":17,"type":"both"})")))
                      .glb());
    });
    expect_nearly_linear("weights", 300, [&](int n) {
        load_file(vrm_1(figure_bones(),
                        fmt::format(R"("expressions":{{"custom":{{"a":{{"morphTargetBinds":[{}]}}}}}})",
                                    listed(n, R"({"node":17,"index":0,"weight":1})")))
                      .glb());
    });
    expect_nearly_linear("authors", 300, [&](int n) {
        load_file(vrm_1(figure_bones(), fmt::format(R"("meta":{{"authors":[{}],"references":[{}]}})",
                                                    listed(n, "\"a\""), listed(n, "\"a\"")))
                      .glb());
    });
    expect_nearly_linear("springs", 300, [&](int n) {
        load_file(vrm_0("", fmt::format(R"("secondaryAnimation":{{"boneGroups":[{}]}})",
                                        listed(n, R"({"bones":[1]})")))
                      .glb());
    });
}

TEST(RobustVrm, ManyNodesWithOneMeshStayLinear)
{
    expect_nearly_linear("nodes with annotations of their mesh", 100, [&](int n) {
        auto builder = vrm_0("", fmt::format(R"("firstPerson":{{"meshAnnotations":[{}]}})",
                                             listed(n, R"({"mesh":0,"firstPersonFlag":"Both"})")));
        for (int i = 0; i < n; ++i)
            builder.add("nodes", R"({"mesh":0})");
        load_file(builder.glb());
    });
}

// 1,000 binds of a mesh that 1,000 nodes draw.
TEST(RobustVrm, BindsOfManyNodesAreLimited)
{
    auto builder = vrm_0("", fmt::format(R"("blendShapeMaster":{{"blendShapeGroups":[{{"binds":[{}]}}]}})",
                                         listed(1000, R"({"mesh":0,"index":0,"weight":100})")));
    for (int i = 0; i < 1000; ++i)
        builder.add("nodes", R"({"mesh":0})");
    const auto scene = try_vrm(builder.glb());
    expect_sane(scene);
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->vrm.value().expressions.at(0).weights.size(), scene::max_expression_weights);
    Limits limits;
    limits.key_values = 100'000;
    const auto rejected = try_vrm(builder.glb(), limits);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::limit_exceeded);
}
