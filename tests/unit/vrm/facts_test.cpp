// Meta, first person, expressions, springs.

#include <gmock/gmock.h>

#include "tests/unit/gltf/reported_places.hpp"
#include "tests/unit/vrm/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using scene::FirstPersonFlag;
using scene::VrmTerm;
using testing::Contains;
using testing::ElementsAre;

namespace {

scene::Scene load_1(const std::string& facts)
{
    return valid(try_vrm(vrm_1(figure_bones(), facts).glb()));
}

std::uint32_t face_of(const scene::Scene& scene)
{
    return static_cast<std::uint32_t>(&node_named(scene, "face") - scene.nodes.data());
}

} // namespace

TEST(VrmFacts, OfVersion1)
{
    const auto scene = load_1(facts_1);
    const auto& vrm = scene.vrm.value();
    EXPECT_EQ(vrm.version, "1.0");
    EXPECT_EQ(vrm.title, "Figure");
    EXPECT_EQ(vrm.model_version, "2");
    EXPECT_THAT(vrm.authors, ElementsAre("Ann", "Bob"));
    EXPECT_EQ(vrm.license, "https://vrm.dev/licenses/1.0/");
    EXPECT_EQ(scene.attribution,
              (scene::Attribution{.title = "Figure", .author = "Ann, Bob", .license = vrm.license}));
    EXPECT_THAT(vrm.terms,
                ElementsAre(VrmTerm{"avatarPermission", "everyone"}, VrmTerm{"modification", "prohibited"},
                            VrmTerm{"allowRedistribution", "false"}, VrmTerm{"references", "a, b"}));
    EXPECT_EQ(vrm.look_at, "bone");
    EXPECT_THAT(vrm.first_person,
                ElementsAre(scene::FirstPersonMesh{face_of(scene), FirstPersonFlag::third_person_only}));
    EXPECT_THAT(vrm.expressions,
                ElementsAre(scene::VrmExpression{"happy", true, true, {{face_of(scene), 0, 0.5f}}, 1},
                            scene::VrmExpression{.name = "wink"}));
    EXPECT_EQ(vrm.springs, 1u);
    EXPECT_EQ(vrm.spring_joints, 2u);
    EXPECT_EQ(vrm.spring_colliders, 1u);
    EXPECT_EQ(vrm.constraints, 0u);
}

TEST(VrmFacts, OfVersion0)
{
    const auto scene = valid(try_vrm(vrm_0().glb()));
    const auto& vrm = scene.vrm.value();
    EXPECT_EQ(vrm.version, "0.0");
    EXPECT_EQ(vrm.title, "Figure");
    EXPECT_THAT(vrm.authors, ElementsAre("Ann"));
    EXPECT_EQ(vrm.license, "CC0");
    EXPECT_THAT(vrm.terms, ElementsAre(VrmTerm{"allowedUserName", "Everyone"}));
    EXPECT_EQ(vrm.look_at, "expression");
    EXPECT_THAT(vrm.first_person,
                ElementsAre(scene::FirstPersonMesh{face_of(scene), FirstPersonFlag::first_person_only}));
    EXPECT_THAT(vrm.expressions,
                ElementsAre(scene::VrmExpression{"happy", true, false, {{face_of(scene), 0, 0.75f}}, 0},
                            scene::VrmExpression{"Wink", false, true, {}, 1}));
    EXPECT_EQ(vrm.springs, 1u);
    EXPECT_EQ(vrm.spring_joints, 2u);
    EXPECT_EQ(vrm.spring_colliders, 2u);
    EXPECT_THAT(warnings_of(scene), Contains("extension_ignored at /extensions/VRM/secondaryAnimation"));
}

TEST(VrmFacts, OtherLicenseIsItsUrl)
{
    const auto scene = valid(
        try_vrm(vrm_0("", R"("meta":{"licenseName":"Other","otherLicenseUrl":"https://example.org/license"})")
                    .glb()));
    EXPECT_EQ(scene.vrm.value().license, "https://example.org/license");
    EXPECT_EQ(scene.vrm->version, "0.0") << "by default";
}

TEST(VrmFacts, ConstraintsAreCounted)
{
    auto builder = vrm_1();
    builder.add("nodes", R"({"extensions":{"VRMC_node_constraint":{"constraint":{}}}})");
    EXPECT_EQ(valid(try_vrm(builder.glb())).vrm.value().constraints, 1u);
}

TEST(VrmFacts, UnknownVersionsAreReported)
{
    auto builder = vrm_1();
    builder.root(R"("extensions":{"VRMC_vrm":{"specVersion":"2.0"}})");
    const auto scene = valid(try_vrm(builder.glb()));
    EXPECT_EQ(scene.vrm.value().version, "2.0");
    EXPECT_THAT(warnings_of(scene), Contains("unknown_vrm_version at /extensions/VRMC_vrm"));
}

TEST(VrmFacts, WrongTypesAreIgnored)
{
    for (const char* value : {"1", "\"a\"", "[]", "[1,{}]", "{}", "{\"a\":1}", "null", "true"}) {
        std::string facts;
        for (const char* member : {"meta", "firstPerson", "lookAt", "expressions"})
            facts += fmt::format("{}\"{}\":{}", facts.empty() ? "" : ",", member, value);
        const auto vrm = load_1(facts).vrm.value();
        EXPECT_TRUE(vrm.expressions.empty() && vrm.first_person.empty() && vrm.authors.empty()) << value;
        std::string old;
        for (const char* member : {"meta", "firstPerson", "blendShapeMaster", "secondaryAnimation"})
            old += fmt::format("{}\"{}\":{}", old.empty() ? "" : ",", member, value);
        EXPECT_TRUE(valid(try_vrm(vrm_0("", old).glb())).vrm.value().expressions.empty()) << value;
    }
}

TEST(VrmFacts, ReferencesToWhatDoesNotExistAreReported)
{
    const auto scene = load_1(
        R"("firstPerson":{"meshAnnotations":[{"node":99,"type":"both"},{"node":3,"type":"both"},{"node":17,"type":"x"}]},)"
        R"("expressions":{"custom":{"a":{"morphTargetBinds":[{"node":99,"index":0},{"node":3,"index":0},)"
        R"({"node":17,"index":1,"weight":1},{"node":17,"weight":1}]}}})");
    const auto& vrm = scene.vrm.value();
    EXPECT_THAT(vrm.first_person,
                ElementsAre(scene::FirstPersonMesh{face_of(scene), FirstPersonFlag::automatic}));
    EXPECT_TRUE(vrm.expressions.at(0).weights.empty());
    const std::string place =
        "invalid_expression at /extensions/VRMC_vrm/expressions/custom/a/morphTargetBinds/";
    for (const char* bind : {"1", "2", "3"})
        EXPECT_THAT(warnings_of(scene), Contains(place + bind));
}

TEST(VrmFacts, AreLimited)
{
    std::string authors, expressions, terms;
    for (std::size_t i = 0; i < scene::max_vrm_entries + 5; ++i) {
        authors += fmt::format("{}\"a\"", i == 0 ? "" : ",");
        terms += fmt::format(",\"t{}\":\"a\"", i);
        expressions += fmt::format("{}\"e{}\":{{}}", i == 0 ? "" : ",", i);
    }
    const auto scene = load_1(fmt::format(R"("meta":{{"authors":[{}]{}}},"expressions":{{"custom":{{{}}}}})",
                                          authors, terms, expressions));
    EXPECT_EQ(scene.vrm.value().authors.size(), scene::max_vrm_entries);
    EXPECT_EQ(scene.vrm->terms.size(), scene::max_vrm_entries);
    EXPECT_EQ(scene.vrm->expressions.size(), scene::max_vrm_entries);
    EXPECT_TRUE(warned(scene, "vrm_facts_limit"));
}
