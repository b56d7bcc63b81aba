#pragma once
// Sends messages to POST /mcp.

#include <string>
#include <string_view>
#include <utility>

#include <boost/json/serialize.hpp>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {

namespace json = boost::json;

inline constexpr std::string_view stateless_revision = "2026-07-28";

class Mcp : public HandlerTest {
protected:
    Answered post(const std::string& body, Fields fields = {})
    {
        fields.emplace_back("Content-Type", "application/json");
        return ask(Method::post, "/mcp", fields, {body}, body.size());
    }
    std::string read(const std::string& target)
    {
        return std::string(body_bytes(get(target).response.body).value_or(""));
    }
    // A request of the revisions with sessions.
    json::value call(std::string_view method, const json::object& params = {})
    {
        const json::object message{{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", params}};
        const auto answered = post(json::serialize(message));
        EXPECT_EQ(answered.status(), 200);
        const auto body = answered.json();
        EXPECT_EQ(body.at("id").to_number<int>(), 7);
        return body;
    }
    json::value call_tool(std::string_view name, const json::object& arguments)
    {
        return call("tools/call", {{"name", name}, {"arguments", arguments}}).at("result");
    }
    static std::string text_of_content(const json::value& result, std::size_t block = 0)
    {
        return std::string(result.at("content").at(block).at("text").as_string());
    }
    // A request of the stateless revision.
    Answered send_stateless(std::string_view method, json::object params, const Fields& fields)
    {
        params["_meta"] = json::object{{"io.modelcontextprotocol/protocolVersion", stateless_revision},
                                       {"io.modelcontextprotocol/clientCapabilities", json::object()}};
        return post(json::serialize(json::object{
                        {"jsonrpc", "2.0"}, {"id", "a"}, {"method", method}, {"params", params}}),
                    fields);
    }
    static Fields fields_of(std::string_view method)
    {
        return {{"MCP-Protocol-Version", std::string(stateless_revision)},
                {"Mcp-Method", std::string(method)}};
    }
    static int code_of(const Answered& answered)
    {
        return answered.json().at_pointer("/error/code").to_number<int>();
    }

    std::string bar = imported("bar.obj");
};

} // namespace vitrine::server::testing
