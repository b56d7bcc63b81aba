#include <cmath>

#include <gmock/gmock.h>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LoadResult<ElementTree> parse_text(std::string_view text, const Limits& limits = {})
{
    return parse_elements(std::as_bytes(std::span(text)), limits);
}

TEST(FbxText, ReadsElementsWithValuesAndChildren)
{
    const auto tree = parse_text("; FBX 7.4.0 project file\r\n"
                                 "Objects:  { ; a comment\n"
                                 "  Model: 12, \"Model::a &quot;b&quot;\" , \"Mesh\" {\n"
                                 "    Shading: T\n"
                                 "    Culling\t: \"Culling;Off\"\n"
                                 "    Empty:\n"
                                 "    Real: -1.5e1\n"
                                 "  }\n"
                                 "}\n");
    ASSERT_TRUE(tree) << tree.error().detail;
    EXPECT_EQ(tree->version, 7400u);
    const Element model = Element(&*tree, 0)["Objects"]["Model"];
    EXPECT_EQ(model.value_count(), 3u);
    EXPECT_EQ(model[0u].integer(), 12);
    EXPECT_EQ(model[1u].text(), "Model::a \"b\"");
    EXPECT_EQ(model.text("Shading"), "T");
    EXPECT_EQ(model.text("Culling"), "Culling;Off");
    EXPECT_TRUE(model["Empty"].exists());
    EXPECT_EQ(model["Empty"].value_count(), 0u);
    EXPECT_EQ(model.real("Real"), -15.0);
    EXPECT_EQ(model.location(), "line 3");
    EXPECT_FALSE(model["Absent"]["Deeper"].exists());
}

TEST(FbxText, ReadsArraysOfEveryShape)
{
    const auto tree =
        parse_text("Objects: {\n"
                   "  A: *4 {\n    a: 1,-2.25, 3e2\n,4.\n  }\n"
                   "  B: *0 {\n  }\n"
                   "  C: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n     ,18,19\n"
                   "  D: *2 { a: 1 }\n"
                   "  E: *1 {a: 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,-0.123456789012}\n"
                   "  F: *3 {a: 1.#QNAN,-1.#IND,nan(ind)}\n"
                   "}\n");
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element objects = Element(&*tree, 0)["Objects"];
    EXPECT_THAT(*objects["A"].array<double>(), ElementsAre(1.0, -2.25, 300.0, 4.0));
    EXPECT_THAT(*objects["A"].array<std::int32_t>(), ElementsAre(1, -2, 300, 4));
    EXPECT_THAT(*objects["B"].array<float>(), ElementsAre());
    EXPECT_EQ(objects["C"].array_count(), 19u);
    EXPECT_EQ(objects["C"].value_count(), Element::max_inline_values);
    EXPECT_EQ(objects["C"].array<std::int64_t>()->back(), 19);
    EXPECT_EQ(objects["C"].all_values()->size(), 19u);
    EXPECT_THAT(*objects["D"].array<float>(), ElementsAre(1.0f));
    EXPECT_EQ(objects["E"].array<double>()->size(), 18u);
    EXPECT_EQ(objects["E"].array<double>()->back(), -0.123456789012);
    for (const double value : *objects["F"].array<double>())
        EXPECT_TRUE(std::isnan(value));
}

TEST(FbxText, BlanksMayFollowTheStarOfAnArray)
{
    const auto tree = parse_text("; FBX 7.4.0\nA: * 2 { a: 1,2 }\nB: *\t3 {\n  a: 4,5,6\n}\nC: 7\n");
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element root(&*tree, 0);
    EXPECT_THAT(*root["A"].array<float>(), ElementsAre(1.0f, 2.0f));
    EXPECT_THAT(*root["B"].array<std::int32_t>(), ElementsAre(4, 5, 6));
    EXPECT_EQ(root["C"][0u].integer(), 7);
    const auto without = parse_text("; FBX 7.4.0\nA: * { a: 1,2 }\n");
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().detail, HasSubstr("no value count"));
}

TEST(FbxText, KeepsListsOfMixedKinds)
{
    const auto tree = parse_text(
        "; FBX 6.1.0\nTakes: { Key: 0,1,U,s,0,0,a,0.33,0.33,46186158000,-70,U,s,0,-0,a,0.3\n  ,0.4,1,C,n\n"
        "Content: , \"QUJD\", \"REVG\"\n }\n");
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element takes = Element(&*tree, 0)["Takes"];
    const auto values = takes["Key"].all_values();
    ASSERT_EQ(values->size(), 21u);
    EXPECT_EQ((*values)[2].text(), "U");
    EXPECT_EQ((*values)[9].integer(), 46186158000);
    EXPECT_EQ((*values)[17].real(), 0.4);
    EXPECT_EQ(values->back().text(), "n");
    EXPECT_EQ(takes["Content"].value_count(), 2u);
    EXPECT_EQ(takes["Content"][0u].text(), "QUJD");
}

TEST(FbxText, SkipsCommasAtTheStartOfAList)
{
    const auto tree =
        parse_text("; FBX 7.5.0\nObjects: {\n  Model: , 10, \"Model::A\" {\n  }\n  A: ,*2 { a: 1,2 }\n"
                   "  B: , ,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n  C: 1,,3\n}\n");
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element objects = Element(&*tree, 0)["Objects"];
    EXPECT_EQ(objects["Model"].value_count(), 2u);
    EXPECT_EQ(objects["Model"][0u].integer(), 10);
    EXPECT_THAT(*objects["A"].array<float>(), ElementsAre(1.0f, 2.0f));
    EXPECT_EQ(objects["B"].array<std::int32_t>()->size(), 17u);
    EXPECT_EQ(objects["B"].array<std::int32_t>()->front(), 1);
    EXPECT_EQ(objects["C"][2u].integer(), 3);
}

TEST(FbxText, CountsWhatAllArraysTakeTogether)
{
    Limits limits;
    limits.vertices = limits.indices = limits.influences = limits.key_values = limits.morph_deltas =
        4; // 12 numbers
    const auto tree = parse_text(
        "; FBX 7.4.0\nA: *10 { a: 1,2,3,4,5,6,7,8,9,10 }\nB: *13 { a: 1,2,3,4,5,6,7,8,9,10,11,12,13 }\n",
        limits);
    ASSERT_TRUE(tree);
    const Element root(&*tree, 0);
    EXPECT_FALSE(root["B"].array<float>());
    const auto fresh = parse_text("; FBX 7.4.0\nA: *10 { a: 1,2,3,4,5,6,7,8,9,10 }\n", limits);
    const Element a = Element(&*fresh, 0)["A"];
    EXPECT_TRUE(a.array<float>());
    EXPECT_TRUE(a.array<float>());
    const auto third = a.array<float>();
    ASSERT_FALSE(third);
    EXPECT_EQ(third.error().code, LoadErrc::limit_exceeded);
}

TEST(FbxText, ReportsThePlaceOfErrors)
{
    const auto error_text = [](std::string_view text) {
        const auto tree = parse_text(text);
        return tree ? std::string("loaded") : tree.error().where + ": " + tree.error().detail;
    };
    EXPECT_THAT(error_text("; FBX 7.4.0\nObjects: {\n"), HasSubstr("line 3: the file ends inside"));
    EXPECT_THAT(error_text("; FBX 7.4.0\nA: \"b\n"), HasSubstr("line 2: a string has no closing quote"));
    EXPECT_THAT(error_text("; FBX 7.4.0\n}\n"), HasSubstr("line 2: a closing brace"));
    EXPECT_THAT(error_text("<html></html>"), HasSubstr("line 1"));
    EXPECT_THAT(error_text("Hello: 1"), HasSubstr("neither a version nor objects"));
    const auto tree = parse_text("; FBX 7.4.0\nA: *2 { a: 1,\n2,x }\n");
    ASSERT_TRUE(tree);
    const auto array = Element(&*tree, 0)["A"].array<float>();
    ASSERT_FALSE(array);
    EXPECT_EQ(array.error().where, "line 3");
    std::string deep = "; FBX 7.4.0\n";
    for (int i = 0; i < 600; ++i)
        deep += "A: {\n";
    EXPECT_THAT(error_text(deep), HasSubstr("line 34: elements are nested deeper than 32 levels"));
    std::string closed = "; FBX 7.4.0\n";
    for (int i = 0; i < 32; ++i)
        closed += "A: {\n";
    EXPECT_EQ(error_text(closed + std::string(32, '}')), "loaded");
    Limits limits;
    limits.depth = 4;
    EXPECT_THAT(parse_text(deep, limits).error().detail,
                HasSubstr("the nesting of elements: more than the limit depth = 4"));
}

TEST(FbxText, RejectsTheSyntaxOfVersion8)
{
    for (const char* text : {"; FBX 8.0.0\n@Time: 1\n", "; FBX 7.5.0\nVersion: @232\n", "A: 1, @a\n"}) {
        const auto tree = parse_text(text);
        ASSERT_FALSE(tree) << text;
        EXPECT_EQ(tree.error().code, LoadErrc::unsupported) << text;
    }
    EXPECT_TRUE(parse_text("; FBX 7.5.0\nA: \"@\"\n"));
}

TEST(FbxText, LinesMayEndInCarriageReturns)
{
    const auto tree = parse_text(
        "; FBX 7.4.0 project file\r; a comment\rObjects: {\r  Model: 1, \"Model::a\", \"Mesh\" { }\r"
        "  List: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\r  ,18,19\r  Next: 5\r}\r;end\r");
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element objects = Element(&*tree, 0)["Objects"];
    EXPECT_EQ(objects["Model"].location(), "line 4");
    EXPECT_EQ(objects["List"].array_count(), 19u);
    EXPECT_EQ(objects.integer("Next"), 5);
}

TEST(FbxText, FileOfCommentsIsRejected)
{
    const auto tree = parse_text("; FBX 7.4.0 project file\n; and no more");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, LoadErrc::empty);
}

} // namespace
} // namespace vitrine::fbx
