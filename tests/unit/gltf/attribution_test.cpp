// What `asset`, its extras and packets of KHR_xmp_json_ld declare about the author and the license.

#include "loaders/base/utf8.hpp"
#include "tests/support/repeated.hpp"
#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using scene::Attribution;
using test::load_text;
using test::valid;

// `asset`: members after the version; `rest`: members of the root.
scene::Scene loaded(const std::string& asset, const std::string& rest = {})
{
    return valid(load_text(R"({"asset":{"version":"2.0",)" + asset + "}" + rest + "}"));
}

std::string packets(const std::string& list)
{
    return R"(,"extensionsUsed":["KHR_xmp_json_ld"],"extensions":{"KHR_xmp_json_ld":{"packets":[)" + list +
           "]}}";
}

const std::string first_packet = R"("extensions":{"KHR_xmp_json_ld":{"packet":0}})";

TEST(GltfAttribution, OfAssetAndItsExtras)
{
    const auto scene =
        loaded(R"json("copyright":"2019 Ann","extras":{"author":"Ann (https://example.org/ann)",
        "license":"CC-BY-4.0","source":"https://example.org/1","title":"Cat"})json");
    EXPECT_EQ(scene.attribution, (Attribution{.title = "Cat",
                                              .author = "Ann (https://example.org/ann)",
                                              .copyright = "2019 Ann",
                                              .license = "CC-BY-4.0",
                                              .source = "https://example.org/1"}));
}

TEST(GltfAttribution, IgnoresExtrasOfOtherTypes)
{
    for (const auto* const extras : {R"({"author":7,"license":["MIT"],"title":null})", "3", "[]", "null"}) {
        const auto scene = loaded(std::string(R"("copyright":8,"extras":)") + extras);
        EXPECT_EQ(scene.attribution, Attribution{}) << extras;
        EXPECT_TRUE(scene.warnings.empty()) << extras;
    }
}

TEST(GltfAttribution, XmpPacketHasPrecedence)
{
    const auto scene =
        loaded(first_packet + R"(,"copyright":"2019 Bob","extras":{"author":"Bob","title":"Dog"})",
               packets(R"({"@context":{"dc":"http://purl.org/dc/elements/1.1/"},
        "dc:creator":{"@list":["Ann","Eve"]},
        "dc:rights":{"@type":"rdf:Alt","rdf:_1":{"@language":"en","@value":"2020 Ann"},
                     "rdf:_2":{"@language":"de","@value":"von Ann"}},
        "dc:source":"https://example.org/cat","dc:subject":{"@set":["pet","fur"]},
        "dc:description":{"@value":"a cat"},"xmpRights:UsageTerms":"ask",
        "xmpRights:WebStatement":"https://example.org/terms"})"));
    EXPECT_EQ(scene.attribution, (Attribution{.title = "Dog",
                                              .author = "Ann, Eve",
                                              .copyright = "2020 Ann",
                                              .license = "https://example.org/terms",
                                              .source = "https://example.org/cat",
                                              .keywords = "pet, fur",
                                              .comment = "a cat"}));
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(GltfAttribution, NamespacesMayHaveOtherPrefixes)
{
    const auto scene = loaded(first_packet, packets(R"({"@context":{"core":"http://purl.org/dc/elements/1.1/",
        "dc":"https://example.org/other","three":"https://schema.khronos.org/model3d/xsd/1.0/"},
        "core:title":"Cat","dc:title":"other","three:spdxLicense":"MIT","xmpRights:Owner":["Ann"]})"));
    EXPECT_EQ(scene.attribution, (Attribution{.title = "Cat", .author = "Ann", .license = "MIT"}));
}

TEST(GltfAttribution, OfTheShownScene)
{
    const std::string scenes = R"(,"scene":1,"scenes":[{},{"extensions":{"KHR_xmp_json_ld":{"packet":1}}}])";
    EXPECT_EQ(loaded(R"("generator":"x")", packets(R"({"dc:title":"a"},{"dc:title":"b"})") + scenes)
                  .attribution.title,
              "b");
}

TEST(GltfAttribution, InvalidPacketsAreIgnored)
{
    for (const auto* const packet : {"4", "-1", "\"0\"", "1e300", "4294967296", "null"}) {
        const auto scene =
            loaded(std::string(R"("extras":{"title":"Cat"},"extensions":{"KHR_xmp_json_ld":{"packet":)") +
                       packet + "}}",
                   packets(R"({"dc:title":"other"})"));
        EXPECT_EQ(scene.attribution, Attribution{.title = "Cat"}) << packet;
    }
    for (const auto* const property :
         {R"({"@list":{}})", R"({"@list":[1,{},[]]})", R"({"rdf:_1":[]})", "[[\"x\"]]", "{}", "7"})
        EXPECT_EQ(
            loaded(first_packet, packets(std::string(R"({"@context":7,"dc:creator":)") + property + "}"))
                .attribution,
            Attribution{})
            << property;
}

TEST(GltfAttribution, LongTextsAreBounded)
{
    const std::string umlauts = std::string(1, 'x') + test::repeated(100'000, "\xC3\xB6");
    const std::string creators = "\"Ann\"" + test::repeated(20'000, ",\"Ann\"");
    const auto scene = loaded(first_packet + R"(,"copyright":")" + umlauts + '"',
                              packets(R"({"dc:creator":{"@list":[)" + creators + "]}}"));
    EXPECT_LE(scene.attribution.copyright.size(), scene::max_declared_bytes);
    EXPECT_TRUE(is_utf8(scene.attribution.copyright));
    EXPECT_GE(scene.attribution.author.size(), scene::max_declared_bytes);
    EXPECT_LE(scene.attribution.author.size(), scene::max_declared_bytes + 8);
}

} // namespace
} // namespace vitrine
