// Parameters of GET /v1/assets: facets, and members of rows.

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server {
namespace {

using testing::HandlerTest;
using ::testing::HasSubstr;
namespace json = boost::json;

class AssetList : public HandlerTest {
protected:
    json::value list(const std::string& query)
    {
        const auto reply = get("/v1/assets?" + query);
        EXPECT_EQ(reply.status(), 200) << query;
        return reply.json();
    }
    std::string rejection(const std::string& query)
    {
        const auto reply = get("/v1/assets?" + query);
        EXPECT_EQ(reply.status(), 400) << query;
        return std::string(body_bytes(reply.response.body).value_or(""));
    }
};

TEST_F(AssetList, HasFacetsWhereTheyAreAskedFor)
{
    imported("bar.obj");
    EXPECT_FALSE(list("").as_object().contains("facets"));
    const auto facets = list("facets=status,format,status&limit=1").at("facets");
    EXPECT_EQ(facets.as_object().size(), 2u);
    EXPECT_EQ(facets.at_pointer("/status/0/value").as_string(), "ready");
    EXPECT_EQ(facets.at_pointer("/status/0/count").to_number<int>(), 1);
    EXPECT_EQ(facets.at("format").as_array().size(), 1u);
    EXPECT_THAT(rejection("facets=author"), HasSubstr("format, status, rigged and animated"));
    EXPECT_THAT(rejection("facets="), HasSubstr("facets"));
}

TEST_F(AssetList, RowsHaveTheMembersThatAreAskedFor)
{
    imported("bar.obj");
    const auto row = list("fields=name,counts,id,name").at_pointer("/items/0").as_object();
    EXPECT_EQ(row.size(), 3u);
    EXPECT_EQ(row.at("name").as_string(), "bar");
    EXPECT_TRUE(row.contains("id") && row.contains("counts"));
    EXPECT_EQ(list("fields=match").at_pointer("/items/0").as_object().size(), 0u)
        << "a row has it only in a search";
    const auto whole = list("").at_pointer("/items/0").as_object();
    for (const auto& member : whole)
        EXPECT_EQ(list("fields=" + std::string(member.key())).at_pointer("/items/0").as_object().size(), 1u)
            << member.key();
    for (const auto* const member : {"tags", "license", "author", "sourceUrl"})
        EXPECT_TRUE(whole.contains(member)) << member;
    EXPECT_THAT(rejection("fields=nmae"), HasSubstr("nmae"));
}

} // namespace
} // namespace vitrine::server
