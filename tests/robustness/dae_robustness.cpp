// Whatever the bytes: load_dae returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "loaders/dae/dae.hpp"
#include "loaders/export/dae/dae_writer.hpp"
#include "server/samples/samples.hpp"
#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/repeated.hpp"
#include "tests/support/work_count.hpp"
#include "tests/support/zip_builder.hpp"
#include "tests/unit/dae/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::string& document = dae::test::everything_document;

void load_with(const std::string& text, const Limits& limits = {})
{
    MemorySource source("m.dae", {{"m.dae", text}, {"other.dae", "<COLLADA/>"}});
    expect_sane(load_dae(source, limits), std::string_view(text).substr(0, 4000));
}

void load_text(const std::string& text)
{
    load_with(text);
}

std::string with(const std::string& before, const std::string& inserted)
{
    std::string text = document;
    return text.insert(text.find(before), inserted);
}

// What is left of a text, with its open elements closed: a cut that the XML does not show.
std::string closed(std::string text)
{
    const std::size_t tag = text.rfind('<');
    if (tag != std::string::npos && text.find('>', tag) == std::string::npos) text.resize(tag);
    std::vector<std::string> open;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        const std::size_t end = text.find('>', at);
        if (text[at + 1] == '?' || text[at + 1] == '!' || text[end - 1] == '/') continue;
        if (text[at + 1] != '/')
            open.push_back(text.substr(at + 1, text.find_first_of(" \t\r\n>", at) - at - 1));
        else if (!open.empty())
            open.pop_back();
    }
    for (; !open.empty(); open.pop_back())
        text += "</" + open.back() + ">";
    return text;
}

// Models of the sample library in COLLADA, without their pictures.
std::vector<std::string> sample_texts()
{
    std::vector<std::string> texts;
    for (const samples::Sample& sample : samples::all_samples())
        for (const auto& file : exporting::write_dae(sample.make(), sample.name))
            if (file.name.ends_with(".dae"))
                texts.emplace_back(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    return texts;
}

} // namespace

// Without closing tags CutSample cuts them.
TEST(RobustDae, SamplesCutAndClosed)
{
    const auto texts = sample_texts();
    ASSERT_GE(texts.size(), 5u);
    for (const std::string& text : texts) {
        for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 60)
            load_text(closed(text.substr(0, length)));
    }
}

TEST(RobustDae, DocumentLoadsWhole)
{
    MemorySource source("m.dae", {{"m.dae", document}});
    const auto loaded = load_dae(source, {});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_EQ(loaded->meshes.size(), 2u);
    EXPECT_EQ(loaded->skins.size(), 1u);
    EXPECT_EQ(loaded->clips.size(), 1u);
    EXPECT_GE(loaded->clips[0].channels.size(), 4u);
}

TEST(RobustDae, CutEverywhere)
{
    cut_everywhere(document, [](const std::string& text) {
        load_text(text);
        load_text(closed(text));
    });
}

// Cut files end inside elements; here what is left stays well-formed.
TEST(RobustDae, WithoutAnyOneElement)
{
    for (std::size_t at = document.find("<asset"); at != std::string::npos; at = document.find('<', at + 1)) {
        const std::size_t name_end = document.find_first_of(" >/", at + 1);
        const std::string name = document.substr(at + 1, name_end - at - 1);
        if (name.empty()) continue;
        const std::size_t tag_end = document.find('>', at);
        const std::size_t close = document[tag_end - 1] == '/'
                                      ? tag_end + 1
                                      : document.find("</" + name + ">", at) + name.size() + 3;
        std::string text = document;
        load_text(text.erase(at, close - at));
    }
}

void change_numbers(const std::string& whole, std::size_t from)
{
    for (std::size_t at = from; at < whole.size(); ++at) {
        if (whole[at] < '0' || whole[at] > '9') continue;
        for (const std::string_view number : {"-1", "4294967295", "1e38", "x"}) {
            std::string text = whole;
            load_text(text.replace(at, 1, number));
        }
    }
}

TEST(RobustDae, ChangedNumbers)
{
    change_numbers(document, 0);
}

// Without motion, so that the skin below the morph is built in the static pose.
TEST(RobustDae, ChangedNumbersOfAMorphOfASkin)
{
    std::string text = document;
    const std::string_view end = "</library_animations>";
    const std::size_t first = text.find("<library_animations"), last = text.find(end);
    ASSERT_NE(last, std::string::npos);
    text.erase(first, last + end.size() - first);
    const std::string outer =
        "<controller id='r'><morph source='#k'><targets><input semantic='MORPH_TARGET' source='#mt'/>"
        "<input semantic='MORPH_WEIGHT' source='#mw'/></targets></morph></controller>";
    const std::size_t controllers = text.find("<library_controllers>");
    text.insert(text.find("</library_controllers>"), outer);
    const std::string_view url = "url=\"#k\"";
    text.replace(text.find(url), url.size(), "url=\"#r\"");
    MemorySource source("m.dae", {{"m.dae", text}});
    const auto loaded = load_dae(source, {});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_EQ(loaded->skins.size(), 0u);
    change_numbers(text, controllers);
}

TEST(RobustDae, ChangedBytes)
{
    for (std::size_t at = 0; at < document.size(); at += 7)
        for (const char c : {'\0', '<', '>', '"', '#', '\xFF'}) {
            std::string text = document;
            text[at] = c;
            load_text(text);
        }
}

TEST(RobustDae, Scrambled)
{
    scramble(document, 3000, load_text);
}

TEST(RobustDae, TinyLimits)
{
    for (std::uint64_t n = 0; n < 40; ++n) {
        Limits all;
        all.vertices = all.indices = all.influences = all.key_values = all.morph_deltas = n;
        all.meshes = all.materials = all.images = all.nodes = all.joints = all.clips =
            static_cast<std::uint32_t>(n);
        load_with(document, all);
        Limits depth;
        depth.depth = static_cast<std::uint32_t>(n);
        load_with(document, depth);
    }
}

TEST(RobustDae, ManyThingsStayNearLinear)
{
    constexpr int many = 250;
    const auto expect_linear = [](const std::string& before, std::string_view text, int most = many) {
        expect_nearly_linear(text, most, [&](int n) { load_text(with(before, repeated(n, text))); });
    };
    expect_linear("<channel", "<channel source='#sa' target='nb/r.ANGLE'/>");
    expect_linear("<channel", "<channel source='#sa' target='na/none'/>");
    expect_linear("<animation_clip ", "<animation_clip><instance_animation url='#a'/></animation_clip>", 2);
    expect_linear("<rotate", "<scale>1 2 4</scale><rotate sid='r'>0 1 0 5</rotate><scale>1 .5 .25</scale>",
                  50);
    expect_linear("<node id=\"nc\"", "<node sid='A'/>");
    expect_linear("<instance_controller", "<instance_geometry url='#g'/>");
    expect_linear("<skeleton>", "<skeleton>#na</skeleton>");
    expect_linear("<ph>", "<p>0 1 2 3 0 2</p>");
    expect_linear("<h>", "<h>0 1 2</h>");
    expect_linear("<instance_material", "<instance_material symbol='y' target='#m'/>");
    expect_linear("<newparam", "<newparam sid='f'/>");
    expect_linear("</IDREF_array>", " h", 100);
    expect_nearly_linear("materials without triangles", 60, [](int n) {
        std::string bound = document;
        const std::string geometry = "<polylist material=\"y\"";
        std::string materials, symbols;
        for (int i = 0; i < n; ++i) {
            const std::string number = std::to_string(i);
            materials += "<material id='m" + number + "'/>";
            symbols += "<triangles material='m" + number + "'/>";
        }
        bound.insert(bound.find(geometry), symbols);
        load_text(bound.insert(bound.find("<material"), materials));
    });
}

TEST(RobustDae, DeepAndSelfReferring)
{
    load_text(repeated(100'000, "<a>"));
    load_text(with("<library_visual", "<library_nodes>" + repeated(400, "<node>") + repeated(400, "</node>") +
                                          "</library_nodes>"));
    load_text(
        with("<node id=\"nc\"",
             "<node id='x'><instance_node url='#y'/></node><node id='y'><instance_node url='#x'/></node>"));
    std::string loop = document;
    loop.replace(loop.find("<morph source=\"#g\""), 18, "<morph source=\"#k\"");
    load_text(loop);
}

// Declared once, referred to everywhere: shared, nested, in a circle, growing without end.
TEST(RobustDae, Entities)
{
    std::string type = "<!DOCTYPE COLLADA [<!ENTITY e0 '0 1 '>";
    for (int i = 1; i < 12; ++i) {
        const std::string inner = "&e" + std::to_string(i - 1) + ";";
        type += "<!ENTITY e" + std::to_string(i) + " '" + repeated(8, inner) + "'>";
    }
    type += "<!ENTITY x '&y;'><!ENTITY y '&x;'><!ENTITY open '<node>'>]>";
    const std::size_t root = document.find("<COLLADA");
    for (const std::string_view name : {"e0", "e3", "e9", "e11", "x", "open", "nothing"})
        for (const std::string_view place :
             {"<translate>", "<rotate sid=\"r\">", "<visual_scene id=\"", "<v>"}) {
            std::string text = document;
            text.insert(text.find(place) + place.size(), "&" + std::string(name) + ";");
            load_text(text.insert(root, type));
        }
    const std::string whole = std::string(document).insert(root, type);
    scramble(whole.substr(0, 4000), 300, load_text);
}

TEST(RobustDae, BrokenZips)
{
    ZipBuilder zip;
    zip.add("manifest.xml", "<dae_root>m.dae</dae_root>");
    zip.add("m.dae", document);
    const std::string bytes = zip.bytes();
    for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 300)
        load_text(bytes.substr(0, length));
    scramble(bytes, 300, load_text);
}
