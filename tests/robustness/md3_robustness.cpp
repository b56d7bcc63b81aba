// Whatever the bytes: load_md3 returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/largest_allocation.hpp"
#include "tests/support/tga.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/md3/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

Md3Model with_tags()
{
    Md3Model model;
    model.tags = {{{"tag_torso", {1, 2, 3}}, {"tag_head"}}, {{"tag_torso", {4, 5, 6}}, {"tag_head"}}};
    return model;
}

const std::string animations =
    "sex m\n0 2 0 10 // BOTH_DEATH1\n1 1 0 20 // TORSO_STAND\n2 -1 2 10 // LEGS_IDLE\n";

// A player whose files are these.
void load_player(const std::string& lower, const std::string& upper, const std::string& config)
{
    expect_sane(load_md3_files("lower.md3", {{"lower.md3", lower},
                                             {"upper.md3", upper},
                                             {"head.md3", Md3Model().write()},
                                             {"lower_default.skin", "body,a.tga\ntag_torso,\n"},
                                             {"animation.cfg", config}}));
}
void load_lower(const std::string& bytes)
{
    load_player(bytes, with_tags().write(), animations);
}
void load_upper(const std::string& bytes)
{
    load_player(with_tags().write(), bytes, animations);
}
void load_config(const std::string& text)
{
    load_player(with_tags().write(), with_tags().write(), text);
}
void load_skin(const std::string& text)
{
    expect_sane(load_md3_files("a.md3", {{"a.md3", Md3Model().write()}, {"a_default.skin", text}}));
}

void load_script(const std::string& text)
{
    expect_sane(load_md3_files(
        "a.md3", {{"a.md3", Md3Model().write()}, {"a.tga", pixel(9, 99)}, {"scripts/a.shader", text}}));
}
const std::string script =
    "// furs\nmodels/a/skin\n{\n cull none /* both */\n qer_editorimage \"a.tga\"\n {\n  map $lightmap\n }\n"
    " {\n  animMap 5 a.tga b.tga\n  blendFunc GL_SRC_ALPHA GL_ONE\n  alphaFunc GE128\n  tcGen environment\n "
    "}\n}\n";

} // namespace

TEST(RobustMd3, CutEverywhere)
{
    cut_everywhere(with_tags().write(), load_lower);
    cut_everywhere(with_tags().write(), load_upper);
    cut_everywhere(animations, load_config);
    cut_everywhere(script, load_script);
}

TEST(RobustMd3, ChangedBytes)
{
    change_bytes(with_tags().write(), load_lower);
    change_bytes(animations, load_config);
    change_bytes(script, load_script);
}

TEST(RobustMd3, Scrambled)
{
    scramble(with_tags().write(), 3000, load_lower);
    scramble(with_tags().write(), 1000, load_upper);
    scramble(animations, 3000, load_config);
    std::string skin;
    for (int i = 0; i < 10; ++i)
        skin += "body,a.tga\ntag_torso,\n\"x\",\"y\"\n";
    scramble(skin, 1000, load_skin);
    scramble(script, 3000, load_script);
}

TEST(RobustMd3, TinyLimits)
{
    for (std::uint64_t n = 0; n < 8; ++n) {
        const auto small = static_cast<std::uint32_t>(n);
        Limits all;
        all.vertices = all.indices = all.key_values = n;
        all.nodes = all.meshes = all.materials = all.images = all.clips = small;
        expect_sane(load_model(with_tags(), all));
        expect_sane(load_model(with_tags(), {.file_bytes = n * 100}));
    }
}

TEST(RobustMd3, HugeCountsDoNotAllocate)
{
    const std::string good = with_tags().write();
    const auto expect_small = [&](std::size_t at, std::uint32_t count) {
        expect_no_allocation_above(std::to_string(at), 32'768,
                                   [&] { load_lower(with_word(good, at, count)); });
    };
    for (const std::uint32_t count : {0x7FFFFFFFu, 0xFFFFFFFFu, 0x80000000u, 1'000'000u, 65'536u}) {
        for (std::size_t at = 72; at < 108; at += 4)
            expect_small(at, count);
        const std::size_t surface = good.find("body") - 4;
        for (std::size_t at = surface + 68; at < surface + 108; at += 4)
            expect_small(at, count);
    }
}

TEST(RobustMd3, ManyShadersAmongManyFilesAreNotAllLookedFor)
{
    expect_nearly_linear("shaders and files", 60, [](int n) {
        Md3Surface point;
        point.triangles.clear();
        point.coords.resize(1);
        point.frames = {{{}}};
        Md3Model model;
        model.frames = 1;
        for (int i = 0; i < n; ++i) {
            point.shaders = {std::to_string(i) + "/skin"};
            model.surfaces.push_back(point);
        }
        std::map<std::string, std::string> files{{"a.md3", model.write()}};
        for (int i = 0; i < n; ++i)
            files["x" + std::to_string(i) + "/skin.txt"] = "";
        files["skin.tga"] = "";
        expect_sane(load_md3_files("a.md3", std::move(files)));
    });
}

TEST(RobustMd3, LongScriptsStayLinear)
{
    const auto braces = [](int n, char brace) { return std::string(static_cast<std::size_t>(n), brace); };
    expect_nearly_linear("open braces", 3'000, [&](int n) { load_script(braces(n, '{')); });
    expect_nearly_linear("closed braces", 3'000, [&](int n) { load_script(braces(n, '}')); });
    expect_nearly_linear("open braces of a shader", 3'000,
                         [&](int n) { load_script("models/a/skin " + braces(n, '{')); });
    const auto repeated = [](int n, auto text_of) {
        std::string all;
        for (int i = 0; i < n; ++i)
            all += text_of(i);
        return all;
    };
    expect_nearly_linear("stages", 300, [&](int n) {
        load_script("models/a/skin {" + repeated(n, [](int) { return "{ map a.tga }"; }) + "}");
    });
    expect_nearly_linear("shaders", 300, [&](int n) {
        load_script(repeated(n, [](int i) { return "a" + std::to_string(i) + "{}"; }) + script);
    });
    expect_nearly_linear("quotes and comments", 1'000,
                         [&](int n) { load_script(repeated(n, [](int) { return "\"\n/*/ //"; })); });
}

// Each is read once, and once changed, however many surfaces wear it.
TEST(RobustMd3, ManySurfacesAskAScriptOnce)
{
    expect_nearly_linear("surfaces of a script with as many stages", 60, [](int n) {
        Md3Model model;
        std::string stages;
        for (int i = 0; i < n; ++i) {
            model.surfaces.push_back({});
            model.surfaces.back().name = std::to_string(i);
            stages += "{ map a.tga\n blendFunc add }\n";
        }
        const auto scene = load_md3_files("a.md3", {{"a.md3", model.write()},
                                                    {"a.tga", pixel(9, 99)},
                                                    {"a.shader", "models/a/skin { " + stages + "}"}});
        expect_sane(scene);
        EXPECT_EQ(scene->images.size(), 2u);
    });
}

TEST(RobustMd3, ManyThingsStayLinear)
{
    expect_nearly_linear("vertices at one place", 1'000, [](int n) {
        const auto count = static_cast<std::size_t>(n);
        Md3Model model = with_tags();
        model.surfaces[0].frames.assign(2, std::vector<Md3Vertex>(count));
        model.surfaces[0].coords.assign(count, {0, 0});
        model.surfaces[0].triangles.assign(count, {0, 1, 2});
        expect_sane(load_model(model));
    });
    expect_nearly_linear("surfaces", 60, [](int n) {
        Md3Model model = with_tags();
        model.surfaces.assign(static_cast<std::size_t>(n), {});
        expect_sane(load_model(model));
    });
    expect_nearly_linear("animations of all frames", 60, [](int n) {
        std::string config;
        for (int i = 0; i < n; ++i)
            config += "0 1000000 0 1000 // BOTH_X\n";
        load_player(with_tags().write(), with_tags().write(), config);
    });
}
