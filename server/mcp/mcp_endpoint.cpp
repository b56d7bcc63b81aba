#include "server/mcp/mcp_endpoint.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "server/net/accept.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::string_view stateless_version = "2026-07-28";
constexpr std::array<std::string_view, 2> session_versions{"2025-11-25", "2025-06-18"}; // newest first
// Without batches, which only this revision had; its clients that send the header do not need them.
constexpr std::string_view oldest_version = "2025-03-26";

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view server_key = "io.modelcontextprotocol/serverInfo";

// An error with the status of its response.
struct McpRejection {
    int status = 400;
    McpError error;
};

struct Exchange {
    const Request& request;
    const McpServer& server;
    const McpMessage& message;
    const RestApi& api;
};

json::object server_info()
{
    return {{"name", "vitrine"}, {"title", "Vitrine"}, {"version", VITRINE_VERSION}};
}

const McpMethod* find_method(const McpServer& server, std::string_view name)
{
    const auto found = std::ranges::find(server.methods, name, &McpMethod::name);
    return found == server.methods.end() ? nullptr : &*found;
}

json::object capabilities(const McpServer& server)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> of_methods{
        {{"tools/list", "tools"},
         {"resources/list", "resources"},
         {"prompts/list", "prompts"},
         {"completion/complete", "completions"}}};
    json::object declared;
    for (const auto& [method, capability] : of_methods)
        if (find_method(server, method) != nullptr) declared[capability] = json::object();
    return declared;
}

Response json_rpc_response(int status, const json::object& message)
{
    auto response = text_response(status, "application/json", api::to_text(message));
    response.headers.add("Cache-Control", "no-store");
    return response;
}

Response rejection_response(const json::value& id, const McpRejection& rejection)
{
    return json_rpc_response(rejection.status, error_message(id, rejection.error));
}

std::string_view header(const Request& request, std::string_view name)
{
    return without_blanks(request.headers.find(name).value_or(""));
}

// The fields of HTTP that do not depend on the message.
std::optional<McpRejection> check_fields(const Request& request)
{
    const auto type = header(request, "Content-Type");
    if (without_blanks(type.substr(0, type.find(';'))) != "application/json")
        return McpRejection{415, {McpErrc::invalid_request, "The Content-Type must be application/json."}};
    const auto accept = request.headers.find("Accept");
    if (accept && accept_quality(*accept, "application/json") <= 0.0)
        return McpRejection{406, {McpErrc::invalid_request, "The Accept field must allow application/json."}};
    return std::nullopt;
}

McpRejection unsupported_version(std::string_view requested, std::span<const std::string_view> supported)
{
    json::array versions;
    for (const auto version : supported)
        versions.emplace_back(version);
    return {400,
            {McpErrc::unsupported_version,
             fmt::format("The protocol version {} is not supported.", requested),
             {{"supported", std::move(versions)}, {"requested", requested}}}};
}

// The parameter that the field Mcp-Name repeats; empty: none.
std::string_view name_parameter(std::string_view method)
{
    if (method == "tools/call" || method == "prompts/get") return "name";
    return method == "resources/read" ? "uri" : "";
}

std::optional<McpRejection> mismatch(std::string_view field)
{
    return McpRejection{
        400, {McpErrc::header_mismatch, fmt::format("The field {} differs from the message.", field)}};
}

// What each request of the revision without sessions must say of itself.
std::optional<McpRejection> check_stateless(const Exchange& exchange)
{
    const auto& [method, params] = std::tie(exchange.message.method, exchange.message.params);
    const auto* const meta = object_member(params, "_meta");
    const auto version = meta != nullptr ? text_member(*meta, version_key) : "";
    if (version.empty() || object_member(*meta, capabilities_key) == nullptr)
        return McpRejection{
            400,
            {McpErrc::invalid_params,
             fmt::format("The object params._meta must have {} and {}.", version_key, capabilities_key)}};
    if (header(exchange.request, "MCP-Protocol-Version") != version) return mismatch("MCP-Protocol-Version");
    if (version != stateless_version) return unsupported_version(version, std::array{stateless_version});
    if (header(exchange.request, "Mcp-Method") != method) return mismatch("Mcp-Method");
    const auto parameter = name_parameter(method);
    if (!parameter.empty() && header(exchange.request, "Mcp-Name") != text_member(params, parameter))
        return mismatch("Mcp-Name");
    return std::nullopt;
}

bool is_stateless(const Request& request, const McpMessage& message)
{
    const auto* const meta = object_member(message.params, "_meta");
    return header(request, "MCP-Protocol-Version") == stateless_version ||
           (meta != nullptr && meta->contains(version_key));
}

json::object initialize(const Exchange& exchange)
{
    const auto requested = text_member(exchange.message.params, "protocolVersion");
    const bool known = std::ranges::find(session_versions, requested) != session_versions.end();
    auto declared = capabilities(exchange.server);
    declared["logging"] = json::object();
    return {{"protocolVersion", known ? requested : session_versions.front()},
            {"capabilities", std::move(declared)},
            {"serverInfo", server_info()},
            {"instructions", exchange.server.instructions}};
}

// Nothing is logged to clients, at any level.
McpResult set_level(const json::object& params)
{
    constexpr std::array<std::string_view, 8> levels{"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};
    const auto level = text_member(params, "level");
    if (std::ranges::find(levels, level) == levels.end())
        return mcp_error(McpErrc::invalid_params, fmt::format("{} is no level.", level));
    return json::object();
}

McpResult unknown_method(const Exchange& exchange)
{
    return mcp_error(McpErrc::method_not_found,
                     fmt::format("There is no method {}.", exchange.message.method));
}

McpResult answer_method(const Exchange& exchange)
{
    const auto* const method = find_method(exchange.server, exchange.message.method);
    if (method == nullptr) return unknown_method(exchange);
    return method->answer(exchange.message.params, exchange.api);
}

McpResult answer_in_session(const Exchange& exchange)
{
    const auto& method = exchange.message.method;
    if (method == "initialize") return initialize(exchange);
    if (method == "ping") return json::object();
    if (method == "logging/setLevel") return set_level(exchange.message.params);
    return answer_method(exchange);
}

McpResult answer_stateless(const Exchange& exchange)
{
    constexpr int lifetime_ms = 60'000; // of lists of tools and the like, which only an upgrade changes
    const bool discovers = exchange.message.method == "server/discover";
    auto result = discovers ? McpResult(json::object{{"supportedVersions", json::array{stateless_version}},
                                                     {"capabilities", capabilities(exchange.server)},
                                                     {"instructions", exchange.server.instructions}})
                            : answer_method(exchange);
    if (!result) return result;
    const auto* const method = find_method(exchange.server, exchange.message.method);
    if (discovers || method->is_cacheable) {
        const bool changes = exchange.message.method.starts_with("resources/");
        (*result)["ttlMs"] = changes ? 0 : lifetime_ms;
        (*result)["cacheScope"] = "private";
    }
    (*result)["resultType"] = "complete";
    (*result)["_meta"] = json::object{{server_key, server_info()}};
    return result;
}

// The revisions whose clients name it in a field after initialize, or not at all.
std::optional<McpRejection> check_session(const Exchange& exchange)
{
    const auto version = header(exchange.request, "MCP-Protocol-Version");
    const bool known = version.empty() || version == oldest_version ||
                       std::ranges::find(session_versions, version) != session_versions.end();
    if (known) return std::nullopt;
    return unsupported_version(
        version, std::array{stateless_version, session_versions.front(), session_versions.back()});
}

Response respond(const Exchange& exchange)
{
    const auto& id = exchange.message.id;
    const bool stateless = is_stateless(exchange.request, exchange.message);
    if (const auto rejected = stateless ? check_stateless(exchange) : check_session(exchange))
        return rejection_response(id, *rejected);
    const auto result = stateless ? answer_stateless(exchange) : answer_in_session(exchange);
    if (result) return json_rpc_response(200, result_message(id, *result));
    const bool unknown = stateless && result.error().code == McpErrc::method_not_found;
    return rejection_response(id, {unknown ? 404 : 200, result.error()});
}

} // namespace

Response answer_mcp(const Request& request, const McpServer& server, const RestApi& api)
{
    if (const auto rejected = check_fields(request)) return rejection_response(nullptr, *rejected);
    const auto message = parse_mcp_message(request.body);
    if (!message) return rejection_response(nullptr, {400, message.error()});
    if (message->id.is_null() || message->method.empty()) { // a notification or a response
        Response accepted{.status = 202};
        accepted.headers.add("Cache-Control", "no-store");
        return accepted;
    }
    return respond({request, server, *message, api});
}

} // namespace vitrine::server
