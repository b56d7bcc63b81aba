// Nodes, meshes and images of a model as pages; files as pages; the parents of poses.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

namespace json = boost::json;

// The bar has the nodes 0 "lower" and 1 "upper", which is below it, and a node that draws.
class Content : public HandlerTest {
protected:
    json::value list(std::string_view rest)
    {
        const auto answered = get("/v1/assets/" + bar + std::string(rest));
        EXPECT_EQ(answered.status(), 200) << rest;
        return answered.json();
    }

    std::string bar = imported("bar.obj");
};

TEST_F(Content, NodesNameTheirParentsByPlace)
{
    const auto nodes = list("/nodes");
    const auto& rows = nodes.at("items").as_array();
    ASSERT_GE(rows.size(), 2u);
    EXPECT_EQ(nodes.at("total").to_number<std::size_t>(), rows.size());
    EXPECT_TRUE(nodes.at("next").is_null());
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].at("index").to_number<std::size_t>(), i);
    EXPECT_EQ(rows[0].at("name").as_string(), "lower");
    EXPECT_TRUE(rows[0].at("parent").is_null());
    EXPECT_EQ(rows[1].at("name").as_string(), "upper");
    EXPECT_EQ(rows[1].at("parent").to_number<int>(), 0);
    EXPECT_EQ(rows[1].at_pointer("/local/translation"), json::value({0, 1, 0}));
}

TEST_F(Content, PagesFollowEachOther)
{
    const auto whole = list("/nodes").at("items");
    json::array rows;
    std::string next = "0";
    while (!next.empty()) {
        const auto answered = get("/v1/assets/" + bar + "/nodes?limit=1&cursor=" + next);
        const auto page = answered.json();
        ASSERT_EQ(page.at("items").as_array().size(), 1u);
        rows.push_back(page.at("items").as_array().front());
        const auto* text = page.at("next").if_string();
        next = text != nullptr ? std::string(*text) : "";
        EXPECT_EQ(answered.header("Link").empty(), next.empty());
    }
    EXPECT_EQ(rows, whole);
    EXPECT_EQ(list("/nodes?cursor=99").at("items").as_array().size(), 0u);
    for (const auto* wrong : {"/nodes?cursor=x", "/meshes?limit=0", "/images?limit=1001", "/nodes?other=1"})
        EXPECT_EQ(get("/v1/assets/" + bar + wrong).status(), 400) << wrong;
}

TEST_F(Content, MeshesHavePrimitives)
{
    const auto meshes = list("/meshes");
    ASSERT_GE(meshes.at("items").as_array().size(), 1u);
    const auto& mesh = meshes.at_pointer("/items/0");
    EXPECT_GT(mesh.at("renderVertices").to_number<int>(), 0);
    EXPECT_THAT(mesh.at("attributes").as_array(), ::testing::Contains(json::value("weights")));
    EXPECT_EQ(mesh.at_pointer("/primitives/0/topology").as_string(), "triangles");
    EXPECT_GT(mesh.at_pointer("/primitives/0/count").to_number<int>(), 0);
}

TEST_F(Content, ImagesThatDoNotExist)
{
    const auto total = list("/images").at("total").to_number<std::size_t>();
    for (const auto& index : {std::to_string(total), std::string("x"), std::string("-1"), std::string("1e1")})
        EXPECT_EQ(get("/v1/assets/" + bar + "/images/" + index).code(), "no_image") << index;
}

TEST_F(Content, FilesArePages)
{
    EXPECT_EQ(list("/files").at("items").as_array().size(), 1u);
    EXPECT_TRUE(list("/files").at("next").is_null());
    EXPECT_EQ(list("/files?cursor=bar.obj").at("items").as_array().size(), 0u);
    EXPECT_EQ(get("/v1/assets/" + bar + "/files?cursor=other").code(), "bad_cursor");
    EXPECT_EQ(get("/v1/assets/" + bar + "/files?limit=501").status(), 400);
}

TEST_F(Content, ParentsInPosesArePlacesInTheSameList)
{
    const auto parents = [&](std::string_view query) {
        const auto pose = list("/clips/c0/pose?" + std::string(query));
        std::vector<int> places;
        for (const auto& node : pose.at_pointer("/poses/0/nodes").as_array())
            places.push_back(node.at("parent").is_null() ? -1 : node.at("parent").to_number<int>());
        return places;
    };
    EXPECT_THAT(parents("joint=0&joint=1"), ::testing::ElementsAre(-1, 0));
    EXPECT_THAT(parents("joint=1&joint=0"), ::testing::ElementsAre(1, -1));
    EXPECT_THAT(parents("joint=1"), ::testing::ElementsAre(-1)) << "its parent is not listed";
}

} // namespace
} // namespace vitrine::server::testing
