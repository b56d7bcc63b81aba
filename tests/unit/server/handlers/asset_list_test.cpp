// Parameters of GET /v1/assets: facets, and members of rows.

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "server/services/audit/audit_log.hpp"
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
    EXPECT_THAT(rejection("facets=joints"), HasSubstr("format, status, rigged, animated"));
    EXPECT_THAT(rejection("facets="), HasSubstr("facets"));
}

// Of a model that the importer has read: each filter selects it, or not.
TEST_F(AssetList, FiltersByFacts)
{
    const AuditScope sender({"open", "127.0.0.1"});
    imported("bar.obj");
    const auto count = [&](const std::string& query) { return list(query).at("items").as_array().size(); };
    for (const auto* const query :
         {"size.min=0.01&size.max=1000", "warnings.min=0", "missingTextures.max=0", "owner=me", "owner=open",
          "duration.min=0", "duration.max=10", "vertices.min=0&vertices.max=1000", "materials.max=9",
          "clips.min=1&clips.max=9", "created.min=2020-01-01T00:00:00Z", "updated.min=2020-01-01T00:00:00Z"})
        EXPECT_EQ(count(query), 1u) << query;
    for (const auto* const query :
         {"size.min=1000", "duration.min=1000", "warnings.min=5", "warning=missing_image",
          "check=clip.foot-slide", "missingTextures.min=1", "license=MIT", "author=Ann", "owner=user:x",
          "vertices.min=1000", "materials.min=10", "clips.min=10", "clips.max=0", "library=library_0",
          "created.max=2020-01-01T00:00:00Z", "updated.max=2020-01-01T00:00:00Z"})
        EXPECT_EQ(count(query), 0u) << query;
    const auto facets = list("facets=license,author,owner,library,tag,warning&limit=1").at("facets");
    EXPECT_EQ(facets.at_pointer("/owner/0/value").as_string(), "open");
    for (const auto* const query :
         {"created.min=yesterday", "size.min=-1", "warnings.min=x", "duration.max=nan", "vertices.min=-1",
          "materials.max=x", "clips.min=1.5"})
        EXPECT_THAT(rejection(query), HasSubstr("bad_query")) << query;
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
    for (const auto* const member : {"tags", "license", "author", "sourceUrl", "createdBy", "library"})
        EXPECT_TRUE(whole.contains(member)) << member;
    EXPECT_THAT(rejection("fields=nmae"), HasSubstr("nmae"));
}

} // namespace
} // namespace vitrine::server
