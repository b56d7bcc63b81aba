// POST /mcp: messages of both kinds of revisions, and tools.

#include <algorithm>

#include <gmock/gmock.h>

#include "api/openapi.hpp"
#include "loaders/io/base64.hpp"
#include "tests/unit/server/handlers/mcp_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(Mcp, InitializeAgreesOnARevision)
{
    for (const std::string_view version : {"2025-11-25", "2025-06-18"}) {
        const auto result = call("initialize", {{"protocolVersion", version}}).at("result");
        EXPECT_EQ(result.at("protocolVersion").as_string(), version);
        EXPECT_EQ(result.at_pointer("/serverInfo/name").as_string(), "vitrine");
        for (const auto* const capability : {"tools", "resources", "prompts", "completions", "logging"})
            EXPECT_TRUE(result.at("capabilities").as_object().contains(capability)) << capability;
    }
    EXPECT_EQ(call("initialize", {{"protocolVersion", "1999-01-01"}})
                  .at_pointer("/result/protocolVersion")
                  .as_string(),
              "2025-11-25");
    EXPECT_TRUE(call("ping").at("result").as_object().empty());
    EXPECT_TRUE(call("logging/setLevel", {{"level", "info"}}).at("result").as_object().empty());
    EXPECT_EQ(call("logging/setLevel", {{"level", "loud"}}).at_pointer("/error/code"), -32602);
    EXPECT_EQ(call("tools/destroy").at_pointer("/error/code"), -32601);
}

TEST_F(Mcp, NotificationsAndResponsesAreAccepted)
{
    for (const std::string body : {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                                   R"({"jsonrpc":"2.0","id":3,"result":{}})"}) {
        const auto answered = post(body);
        EXPECT_EQ(answered.status(), 202) << body;
        EXPECT_EQ(body_bytes(answered.response.body), "") << body;
    }
}

TEST_F(Mcp, WrongMessagesAreErrors)
{
    const std::vector<std::pair<std::string, int>> wrong{
        {"", -32700},
        {"{", -32700},
        {std::string(40, '['), -32700},
        {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", -32600},
        {R"({"id":1,"method":"ping"})", -32600},
        {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
        {R"({"jsonrpc":"2.0","id":1})", -32600},
        {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})", -32602}};
    for (const auto& [body, code] : wrong) {
        const auto answered = post(body);
        EXPECT_EQ(answered.status(), 400) << body;
        EXPECT_EQ(code_of(answered), code) << body;
        EXPECT_TRUE(answered.json().at("id").is_null()) << body;
    }
    const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    EXPECT_EQ(ask(Method::post, "/mcp", {{"Content-Type", "text/plain"}}, {ping}, ping.size()).status(), 415);
    EXPECT_EQ(post(ping, {{"Accept", "text/event-stream"}}).status(), 406);
    EXPECT_EQ(post(ping, {{"Accept", "application/json, text/event-stream"}}).status(), 200);
    EXPECT_EQ(post(ping, {{"MCP-Protocol-Version", "2025-06-18"}}).status(), 200);
    EXPECT_EQ(post(ping, {{"MCP-Protocol-Version", "1999-01-01"}}).status(), 400);
    EXPECT_EQ(get("/mcp").status(), 405);
}

TEST_F(Mcp, StatelessRequestsDescribeThemselves)
{
    const auto discovered = send_stateless("server/discover", {}, fields_of("server/discover"));
    ASSERT_EQ(discovered.status(), 200);
    const auto result = discovered.json().at("result");
    EXPECT_EQ(result.at("supportedVersions"), json::value({stateless_revision}));
    EXPECT_EQ(result.at("resultType").as_string(), "complete");
    EXPECT_EQ(result.at_pointer("/_meta/io.modelcontextprotocol~1serverInfo/name").as_string(), "vitrine");
    const auto tools = send_stateless("tools/list", {}, fields_of("tools/list")).json().at("result");
    EXPECT_GT(tools.at("ttlMs").to_number<int>(), 0);
    EXPECT_EQ(tools.at("cacheScope").as_string(), "private");
    for (const std::string_view removed : {"initialize", "ping", "logging/setLevel", "tools/destroy"}) {
        const auto answered = send_stateless(removed, {}, fields_of(removed));
        EXPECT_EQ(answered.status(), 404) << removed;
        EXPECT_EQ(code_of(answered), -32601) << removed;
        EXPECT_EQ(answered.json().at("id").as_string(), "a");
    }
}

TEST_F(Mcp, FieldsOfStatelessRequestsRepeatTheMessage)
{
    const json::object look{{"name", "get_asset"}, {"arguments", json::object{{"asset", bar}}}};
    auto fields = fields_of("tools/call");
    EXPECT_EQ(code_of(send_stateless("tools/call", look, fields)), -32020) << "no Mcp-Name";
    fields.emplace_back("Mcp-Name", "get_rig");
    EXPECT_EQ(code_of(send_stateless("tools/call", look, fields)), -32020);
    fields.back().second = "get_asset";
    EXPECT_EQ(send_stateless("tools/call", look, fields).status(), 200);
    EXPECT_EQ(code_of(send_stateless("tools/list", {}, fields_of("prompts/list"))), -32020);
    EXPECT_EQ(code_of(send_stateless("tools/list", {}, {})), -32020) << "no MCP-Protocol-Version";
    const auto without_meta =
        post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", fields_of("tools/list"));
    EXPECT_EQ(without_meta.status(), 400);
    EXPECT_EQ(code_of(without_meta), -32602);
    const auto unknown = post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
        "io.modelcontextprotocol/protocolVersion":"3000-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})",
                              {{"MCP-Protocol-Version", "3000-01-01"}});
    EXPECT_EQ(unknown.status(), 400);
    EXPECT_EQ(code_of(unknown), -32022);
    EXPECT_EQ(unknown.json().at_pointer("/error/data/requested").as_string(), "3000-01-01");
}

TEST_F(Mcp, ToolsReturnWhatTheRestApiDoes)
{
    const auto found = json::parse(text_of_content(call_tool("search_assets", {{"q", "bar"}})));
    EXPECT_EQ(found.at_pointer("/items/0/id").as_string(), bar);
    EXPECT_EQ(text_of_content(call_tool("get_asset", {{"asset", bar}})), read("/v1/assets/" + bar));
    EXPECT_EQ(
        text_of_content(call_tool("get_pose", {{"asset", bar}, {"clip", 0}, {"t", 0.5}, {"joint", {1}}})),
        read("/v1/assets/" + bar + "/clips/0/pose?t=0.5&joint=1"));
    EXPECT_EQ(text_of_content(call_tool("get_clip_facts", {{"asset", bar}, {"clip", "0"}})),
              read("/v1/assets/" + bar + "/clips/0/facts"));
    EXPECT_EQ(text_of_content(call_tool("check_asset", {{"asset", bar}, {"profile", "mobile"}})),
              read("/v1/assets/" + bar + "/checks?profile=mobile"));
    const auto rig = json::parse(text_of_content(call_tool("get_rig", {{"asset", bar}})));
    EXPECT_FALSE(rig.at_pointer("/joints/0").as_object().contains("bind")) << "too long for a model";
    EXPECT_TRUE(rig.at_pointer("/joints/0").as_object().contains("name"));
    const auto clips = json::parse(text_of_content(call_tool("list_clips", {{"asset", bar}})));
    EXPECT_EQ(clips.at_pointer("/items/0/id").as_string(), "c0");
}

TEST_F(Mcp, SearchTakesEachFilterOfTheList)
{
    const auto document = json::parse(api::openapi_json());
    const auto tools = call("tools/list").at_pointer("/result/tools").as_array();
    const auto search = std::ranges::find_if(
        tools, [](const json::value& tool) { return tool.at("name") == "search_assets"; });
    const auto& properties = search->at_pointer("/inputSchema/properties").as_object();
    for (const auto& parameter : document.at_pointer("/paths/~1v1~1assets/get/parameters").as_array()) {
        const std::string_view name = parameter.at("name").as_string();
        EXPECT_TRUE(properties.contains(name.starts_with("field.") ? "field" : name)) << name;
    }
    const auto count = [&](const json::object& arguments) {
        const auto result = call_tool("search_assets", arguments);
        EXPECT_FALSE(result.as_object().contains("isError")) << text_of_content(result);
        return json::parse(text_of_content(result)).at("items").as_array().size();
    };
    ask(Method::patch, "/v1/assets/" + bar, {}, {R"({"tags": ["red", "old"]})"});
    EXPECT_EQ(count({{"tag", {"red", "old"}}}), 1u);
    EXPECT_EQ(count({{"tag", {"red", "new"}}}), 0u);
    EXPECT_EQ(count({{"tag", "red"}, {"size.min", 0.001}, {"fields", {"id", "name"}}}), 1u);
    EXPECT_EQ(count({{"field", {{"polycount.min", 3}}}}), 0u);
    EXPECT_EQ(count({{"field", {{"artist", ""}}}}), 1u) << "none has a value";
}

TEST_F(Mcp, SimilarAssetsAreFound)
{
    const auto result = call_tool("find_similar", {{"asset", bar}, {"by", "bytes"}, {"limit", 5}});
    EXPECT_EQ(text_of_content(result), read("/v1/assets/" + bar + "/similar?by=bytes&limit=5"));
    EXPECT_TRUE(json::parse(text_of_content(result)).at("items").as_array().empty());
}

TEST_F(Mcp, LookIsASmallImageWithItsLayout)
{
    const auto sheet = call_tool(
        "look",
        {{"asset", bar}, {"poses", 2}, {"view", {"front", "30,15"}}, {"size", 64}, {"overlay", "skeleton"}});
    EXPECT_EQ(sheet.at_pointer("/content/0/mimeType").as_string(), "image/jpeg");
    const auto image = io::decode_base64(sheet.at_pointer("/content/0/data").as_string());
    ASSERT_TRUE(image);
    const auto same = read("/v1/assets/" + bar +
                           "/sprite?frames=2&view=front&view=30,15&size=64&overlay=skeleton"
                           "&format=jpeg&quality=80");
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(image->data()), image->size()), same);
    EXPECT_EQ(text_of_content(sheet, 1),
              "Rows from top to bottom, by view: front; 30,15. Columns from left to right, "
              "seconds of the motion: 0, 0.5 of 1.");
    const auto row = call_tool("compare_assets", {{"asset", {bar, bar}}});
    EXPECT_EQ(row.at_pointer("/content/0/type").as_string(), "image");
    EXPECT_EQ(json::parse(text_of_content(row, 1)).as_object().empty(), false);
}

TEST_F(Mcp, WhatAToolCannotAnswerIsASentenceForTheModel)
{
    const std::vector<std::tuple<std::string_view, json::object, std::string>> wrong{
        {"get_asset", {}, "asset is missing"},
        {"get_asset", {{"asset", "none"}}, "there is no asset"},
        {"get_asset", {{"asset", "../../metrics"}}, "there is no asset"},
        {"get_asset", {{"asset", bar}, {"wings", "red"}}, "wings"},
        {"look", {{"asset", bar}, {"poses", 9}}, "poses must be a whole number from 1 to 8"},
        {"look", {{"asset", bar}, {"view", {"inside"}}}, "view"},
        {"look", {{"asset", bar}, {"view", json::object()}}, "view must be"},
        {"get_pose", {{"asset", bar}, {"clip", "dance"}}, "dance"},
        {"compare_assets", {{"asset", {bar, "none"}}}, "none"},
        {"search_assets", {{"limit", 100000}}, "limit"},
        {"search_assets", {{"field", "artist"}}, "field must be an object"},
        {"find_similar", {{"asset", bar}, {"by", "name"}}, "by"}};
    for (const auto& [tool, arguments, words] : wrong) {
        const auto result = call_tool(tool, arguments);
        ASSERT_TRUE(result.as_object().contains("isError")) << tool << " " << words;
        EXPECT_THAT(text_of_content(result), HasSubstr(words)) << tool;
    }
    EXPECT_EQ(call("tools/call", {{"name", "delete_asset"}}).at_pointer("/error/code"), -32602);
    EXPECT_EQ(call("tools/call", {{"name", "look"}, {"arguments", "x"}}).at_pointer("/error/code"), -32602);
}

} // namespace
} // namespace vitrine::server::testing
