// /v1/assets/{id}/notes, /v1/notes and /v1/searches.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NoteRoutes : public HandlerTest {
protected:
    NoteRoutes() : HandlerTest(false) {}

    Answered send(Method method, const std::string& target, const std::string& body,
                  const Fields& fields = {})
    {
        return ask(method, target, fields, {body}, body.size());
    }
    Answered write(const std::string& body) { return send(Method::post, notes, body); }
    static std::string point(unsigned triangle)
    {
        return fmt::format(R"({{"node": 2, "mesh": 0, "primitive": 0, "triangle": {}, )"
                           R"("barycentric": [0.25, 0.25, 0.5]}})",
                           triangle);
    }
    boost::json::value first(const std::string& query)
    {
        return get(notes + query).json().at_pointer("/items/0");
    }
    static std::string id_of(const Answered& answered)
    {
        return std::string(answered.json().at("id").as_string());
    }

    const std::string bar = imported("bar.obj"), notes = "/v1/assets/" + bar + "/notes";
};

TEST_F(NoteRoutes, PlacesFollowTheSkin)
{
    const auto written =
        write(R"({"text": "bends", "place": {"clip": "bend", "time": 0.5, "point": )" + point(19) + "}}");
    ASSERT_EQ(written.status(), 201) << body_bytes(written.response.body).value_or("");
    EXPECT_EQ(written.header("Location"), "/v1/notes/" + id_of(written));
    EXPECT_EQ(written.json().at_pointer("/place/clip").as_string(), "c0");
    EXPECT_EQ(written.json().at_pointer("/author/id").as_string(), "open");
    const auto still = first("");
    EXPECT_EQ(still.at("position").as_array().size(), 3u);
    EXPECT_FALSE(still.as_object().contains("positions"));
    const auto moving = first("?clip=c0&t=0/1/0.5");
    ASSERT_EQ(moving.at("positions").as_array().size(), 3u);
    EXPECT_EQ(moving.at("positions").at(0), still.at("position"));
    EXPECT_NE(moving.at("positions").at(2), still.at("position")) << "the cap turns with its joint";
    EXPECT_EQ(first("?t=0,1").at("positions").at(1), still.at("position")) << "the static pose";
    EXPECT_EQ(get(notes + "?clip=none&t=0").status(), 200);
    EXPECT_EQ(get(notes + "?clip=jump&t=0").code(), "no_clip");
    EXPECT_EQ(get(notes + "?t=0/1").code(), "bad_query");
    EXPECT_EQ(get("/v1/assets/" + bar + "/versions/1/notes").json().at("items").as_array().size(), 1u);
    EXPECT_EQ(get("/v1/assets/asset_none/notes").code(), "no_asset");
}

// The second version has the same triangles, the third others.
TEST_F(NoteRoutes, PlacesAreOfVersionsWithTheSameTriangles)
{
    ASSERT_EQ(write(R"({"text": "here", "place": {"point": )" + point(3) + "}}").status(), 201);
    const auto add_version = [&](const std::string& name) {
        const auto blob = put_blob(*services.blobs, bytes_of("content of " + name));
        const auto made =
            services.ingest.ingest_version(bar, {}, {{name, blob.hash, blob.size_bytes}}).value();
        EXPECT_EQ(wait_for(services, made.job.id).state, JobState::succeeded);
    };
    add_version("other bar.obj");
    EXPECT_EQ(first("").at_pointer("/place/point/triangle"), 3);
    EXPECT_NE(first("").at("position"), nullptr);
    EXPECT_EQ(first("").at("version"), 1);
    add_version("cube.obj");
    const auto lost = first("");
    EXPECT_EQ(lost.at("place"), nullptr);
    EXPECT_EQ(lost.at("position"), nullptr);
    EXPECT_EQ(lost.at("hasPlace"), true);
    EXPECT_NE(get("/v1/assets/" + bar + "/versions/2/notes").json().at_pointer("/items/0/place"), nullptr);
}

TEST_F(NoteRoutes, RejectWhatTheModelLacks)
{
    EXPECT_EQ(write(R"({"text": "x", "place": {"point": )" + point(9'999) + "}}").code(), "not_in_model");
    EXPECT_EQ(write(R"({"text": "x", "place": {"clip": "jump"}})").code(), "no_clip");
    for (const auto* const body :
         {R"({})", R"({"text": ""})", R"({"text": "x", "place": 1})",
          R"({"text": "x", "place": {"time": -1}})", R"({"text": "x", "place": {"point": {"node": 0}}})",
          R"({"text": "x", "resolved": true})",
          R"({"text": "x", "place": {"point": {"node": 2, "mesh": 0, "primitive": 0, "triangle": 0,
              "barycentric": [1, 0]}}})"})
        EXPECT_EQ(write(body).code(), "bad_body") << body;
}

TEST_F(NoteRoutes, AreChangedAndDeleted)
{
    const auto written = write(R"({"text": "first"})");
    EXPECT_EQ(written.json().at("place"), nullptr);
    const auto path = "/v1/notes/" + id_of(written);
    const auto etag = get(path).header("ETag");
    EXPECT_EQ(get(path, {{"If-None-Match", etag}}).status(), 304);
    const auto resolved = send(Method::patch, path, R"({"resolved": true})", {{"If-Match", etag}});
    EXPECT_TRUE(resolved.json().at("resolved").as_bool());
    EXPECT_EQ(send(Method::patch, path, R"({"text": "x"})", {{"If-Match", etag}}).code(), "edit_conflict");
    EXPECT_EQ(send(Method::patch, path, R"({"text": "second"})").json().at("text").as_string(), "second");
    EXPECT_EQ(get("/v1/notes?resolved=false").json().at("items").as_array().size(), 0u);
    EXPECT_EQ(get("/v1/notes?author=me&asset=" + bar).json().at("items").as_array().size(), 1u);
    EXPECT_EQ(get("/v1/notes?cursor=x").code(), "bad_cursor");
    EXPECT_EQ(ask(Method::delete_, path).status(), 204);
    EXPECT_EQ(get(path).code(), "no_note");
}

TEST_F(NoteRoutes, SearchesAreQueriesOfTheList)
{
    const auto save = [&](const std::string& query) {
        return send(Method::post, "/v1/searches", fmt::format(R"({{"name": "s", "query": "{}"}})", query));
    };
    const auto saved = save("tag=prop&size.min=2&sort=name");
    ASSERT_EQ(saved.status(), 201) << body_bytes(saved.response.body).value_or("");
    for (const auto* const query : {"tagg=prop", "size.min=x", "cursor=1", "limit=5", "fields=id", "q=%ff"})
        EXPECT_EQ(save(query).json().at_pointer("/errors/0/pointer").as_string(), "/query") << query;
    const auto path = "/v1/searches/" + id_of(saved);
    EXPECT_EQ(send(Method::patch, path, R"({"shared": true})").json().at("shared"), true);
    EXPECT_EQ(get("/v1/searches").json().at_pointer("/items/0/own"), true);
    EXPECT_EQ(get(path).json().at("query").as_string(), "tag=prop&size.min=2&sort=name");
    EXPECT_EQ(ask(Method::delete_, path).status(), 204);
    EXPECT_EQ(get(path).code(), "no_search");
}

} // namespace
} // namespace vitrine::server::testing
