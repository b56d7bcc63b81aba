// POST with the parameters as a JSON body.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

class JsonRequests : public HandlerTest {
protected:
    JsonRequests() : path("/v1/assets/" + imported("bar.obj")) {}

    Answered post(const std::string& rest, const std::string& body, const Fields& fields = {})
    {
        return ask(Method::post, path + rest, fields, {body}, body.size());
    }
    // The entity tag of GET; the body must be equal too.
    void expect_same(const std::string& rest, const std::string& query, const std::string& body)
    {
        SCOPED_TRACE(body);
        const auto of_query = get(path + rest + "?" + query);
        const auto of_body = post(rest, body);
        ASSERT_EQ(of_query.status(), 200) << query;
        ASSERT_EQ(of_body.status(), 200);
        EXPECT_EQ(of_body.header("ETag"), of_query.header("ETag"));
        EXPECT_EQ(body_bytes(of_body.response.body), body_bytes(of_query.response.body));
    }
    void expect_rejected(const std::string& body, const std::string& code, const std::string& words)
    {
        SCOPED_TRACE(body);
        const auto rejected = post("/render", body);
        EXPECT_EQ(rejected.status(), 400);
        EXPECT_EQ(rejected.code(), code);
        EXPECT_THAT(std::string(rejected.json().at("detail").as_string()), HasSubstr(words));
    }

    std::string path;
};

TEST_F(JsonRequests, AnswerAsTheUrlDoes)
{
    expect_same("/render", "clip=0&t=0.5&w=24&h=16&ortho=true&overlay=skeleton,bounds&target=0,1,0.5",
                R"({"clip": 0, "t": 0.5, "w": 24, "h": 16, "ortho": true, "overlay": ["skeleton", "bounds"],
                    "target": [0, 1, 0.5], "background": null})");
    expect_same("/render",
                "w=16&h=16&layer=0@0.25*0.5~1!add&turn=1:0,0,30&move=1:1,0,0&attach=" + path.substr(11) +
                    "@1:0,1,0",
                R"({"w": 16, "h": 16,
                    "layers": [{"clip": 0, "time": 0.25, "weight": 0.5, "mask": [1], "mode": "add"}],
                    "joints": [{"joint": 1, "turn": [0, 0, 30], "move": [1, 0, 0]}],
                    "attach": [{"asset": ")" +
                    path.substr(11) + R"(", "joint": 1, "offset": [0, 1, 0]}]})");
    expect_same("/render", "w=16&h=16&layer=0@0.5!add=0@0.25", R"({"w": 16, "h": 16, "layers": [
        {"clip": 0, "time": 0.5, "mode": "add", "reference": {"clip": 0, "time": 0.25}}]})");
    expect_same("/pick", "w=16&h=16&x=3&y=4", R"({"w": 16, "h": 16, "x": 3, "y": 4})");
    expect_same("/sprite", "frames=3&size=16", R"({"frames": 3, "size": 16})");
    expect_same(
        "/sprite", "frames=3&size=16&view=front&view=30,15&quality=60&overlay=skeleton",
        R"({"frames": 3, "size": 16, "view": ["front", "30,15"], "quality": 60, "overlay": "skeleton"})");
    expect_same("/sprite", "frames=3&size=16&view=30,15", R"({"frames": 3, "size": 16, "view": [30, 15]})");
    expect_same("/animation", "frames=3&size=16&layer=0", R"({"frames": 3, "size": 16, "layers": ["0"]})");
    expect_same("/turntable", "frames=3&size=16", R"({"frames": 3, "size": 16})");
    expect_same("/clips/0/pose", "t=0,0.5&joint=0&joint=1&space=model",
                R"({"t": [0, 0.5], "joint": [0, 1], "space": "model"})");
}

TEST_F(JsonRequests, MeshesAndExportsToo)
{
    const auto tag_of = [&](const Answered& answered) {
        EXPECT_EQ(answered.status(), 200);
        return answered.header("ETag");
    };
    EXPECT_EQ(tag_of(post("/mesh", R"({"clip": "c0", "t": 0.5, "format": "ply"})")),
              tag_of(get(path + "/mesh?clip=0&t=0.5&format=ply")));
    EXPECT_EQ(tag_of(post("/export.glb", R"({"layers": [{"clip": 0, "weight": 0.5}]})")),
              tag_of(get(path + "/export.glb?layer=0*0.5")));
    EXPECT_EQ(tag_of(post("/mesh", "")), tag_of(get(path + "/mesh"))) << "an empty body has no parameters";
    EXPECT_EQ(tag_of(post("/mesh?layer=0@0.5", R"({"format": "ply"})")),
              tag_of(get(path + "/mesh?layer=0@0.5&format=ply")))
        << "the URL has some of them";
}

TEST_F(JsonRequests, MistakesAreReportedByMember)
{
    expect_rejected("[]", "bad_json", "one JSON object");
    expect_rejected("{", "bad_json", "one JSON object");
    expect_rejected(R"({"w": {"x": 1}})", "bad_body", "w must be a text");
    expect_rejected(R"({"w": [{"x": 1}]})", "bad_body", "w must be a list");
    expect_rejected(R"({"layers": 3})", "bad_body", "layers must be an array");
    expect_rejected(R"({"layers": [{"clip": 0, "weight": "much"}]})", "bad_body", "weight must be a number");
    expect_rejected(R"({"layers": [{"time": 0}]})", "bad_body", "clip is missing");
    expect_rejected(R"({"joints": [{"joint": 1}], "turn": ["1:0,0,0"]})", "bad_body", "replaces turn");
    expect_rejected(R"({"layers": [{"clip": 0, "reference": 0}]})", "bad_body",
                    "reference needs the mode add");
    expect_rejected(R"({"layers": [{"clip": 0, "mode": "add", "reference": {"time": 1}}]})", "bad_body",
                    "reference has a member whose clip is missing");
    expect_rejected(R"({"layers": [{"clip": 0, "mode": "add", "reference": {"clip": 0, "at": 1}}]})",
                    "bad_body", "reference has a member whose at is unknown");
    expect_rejected(R"({"layers": [{"clip": 0, "mode": "add", "reference": "a@b"}]})", "bad_body",
                    "reference has @ * ~ or ! in its name: use its number");
    expect_rejected(R"({"layers": ["0*7"]})", "bad_parameter", "");
    expect_rejected(R"({"wide": 3})", "bad_query", "wide is not a parameter");
    const auto rejected = post("/render?h=16", R"({"h": 16, "w": 0})").json();
    EXPECT_EQ(rejected.at("errors").at(0).at("pointer"), "/w");
    EXPECT_EQ(rejected.at("errors").at(1).at("pointer"), "/h") << "given more than once";
    EXPECT_EQ(post("/render", R"({"layer": "0"})").status(), 200) << "one text of the parameter";
    EXPECT_EQ(post("/render", std::string(300'000, ' ')).status(), 413);
    EXPECT_EQ(post("/clips/9/pose", "{}").status(), 404);
}

TEST_F(JsonRequests, NameTheClipThatIsMissing)
{
    const auto expect_missing = [&](const std::string& layer, const std::string& detail) {
        const auto missing = post("/render", R"({"layers": [)" + layer + "]}");
        EXPECT_EQ(missing.status(), 404) << layer;
        EXPECT_EQ(missing.code(), "no_clip") << layer;
        EXPECT_EQ(missing.json().at("detail"), boost::json::string(detail));
    };
    const std::string id = path.substr(11);
    expect_missing(R"({"clip": "run"})", "This asset has no clip 'run'.");
    expect_missing(R"({"clip": 0, "mode": "add", "reference": "idle"})", "This asset has no clip 'idle'.");
    expect_missing(R"({"clip": 0, "mode": "add", "reference": {"clip": "nobody:idle", "time": 1}})",
                   "This asset has no clip 'nobody:idle'.");
    expect_missing(R"({"clip": 0, "mode": "add", "reference": ")" + id + R"(:idle"})",
                   "The asset " + id + " has no clip 'idle'.");
}

} // namespace
} // namespace vitrine::server::testing
