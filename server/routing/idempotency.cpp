#include "server/routing/idempotency.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "server/access/sealed_text.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/response_cache.hpp"
#include "server/services/catalog/request_claim.hpp"
#include "server/services/workers/remote_renderer.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_key_bytes = 255;

StoredResponse stored(const Response& response)
{
    return {.status = response.status,
            .location = std::string(response.headers.find("Location").value_or("")),
            .body = std::get<std::string>(response.body)};
}

Response replay_response(StoredResponse stored)
{
    auto response = text_response(stored.status, "application/json", std::move(stored.body));
    response.headers.add("Cache-Control", "no-cache");
    if (!stored.location.empty()) response.headers.add("Location", std::move(stored.location));
    return response;
}

// What is stored of one request with a key.
struct RequestKey {
    std::string name;
    std::string secret;  // of the stored response
    std::string content; // of the request
};

RequestKey request_key(const Request& request, std::string_view key, std::string_view fields)
{
    const auto secret = fmt::format("{} {}", to_text(request.principal), key);
    const auto content = fmt::format("{} {}\n{}\n{}", request.method_name, target_of(request), fields,
                                     sha256_hex(request.body));
    return {.name = "once " + sha256_hex(secret), .secret = secret, .content = sha256_hex(content)};
}

namespace json = boost::json;

StoredResponse sealed(const RequestKey& key, const Response& response)
{
    json::array fields;
    for (const auto& [name, value] : response.headers)
        fields.push_back(json::array{name, value});
    const auto* body = std::get_if<std::string>(&response.body);
    const json::value whole{
        {"status", response.status}, {"fields", std::move(fields)}, {"body", body ? *body : std::string()}};
    return {.status = response.status, .body = seal_text(key.secret, json::serialize(whole))};
}

Response opened(const RequestKey& key, const StoredResponse& stored)
{
    const auto text = open_sealed_text(key.secret, stored.body);
    if (!text) throw std::runtime_error("the stored response to an Idempotency-Key cannot be read");
    const auto whole = json::parse(*text);
    Response response{.status = stored.status};
    for (const auto& field : whole.at("fields").as_array())
        response.headers.add(std::string(field.at(0).as_string()), std::string(field.at(1).as_string()));
    response.body = std::string(whole.at("body").as_string());
    return response;
}

api::Problem key_reused()
{
    return {.status = 422,
            .code = "idempotency_key_reused",
            .detail = "This Idempotency-Key was used for a different request."};
}

api::Problem key_in_use()
{
    return {.status = 409,
            .code = "idempotency_key_in_use",
            .detail = "The first request with this Idempotency-Key runs.",
            .retry_after_s = 1};
}

} // namespace

std::expected<std::string, api::Problem> read_idempotency_key(const Request& request)
{
    auto key = request.headers.find("Idempotency-Key");
    if (!key) return std::string();
    bool visible = std::ranges::all_of(*key, [](char c) { return c > 0x20 && c < 0x7f; });
    if (!key->empty() && key->size() <= max_key_bytes && visible) {
        // Responses to others may show what this principal does not see.
        if (request.principal.role >= Role::editor) return std::string(*key);
        return fmt::format("{} {}", to_text(request.principal), *key);
    }
    return problem(400, "bad_idempotency_key", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}

HandlerResult run_idempotent(const std::string& key, const std::string& content, Context& context,
                             const std::function<HandlerResult()>& work)
{
    if (key.empty()) return work();
    auto& catalog = context.services.catalog;
    auto claim = claim_request(catalog.connections(), key, content);
    if (claim.reused_for_different_request) return std::unexpected(key_reused());
    if (claim.response) return replay_response(std::move(*claim.response));
    if (claim.is_running) return std::unexpected(key_in_use());
    try {
        auto response = work();
        if (response) return replay_response(catalog.store_response(key, content, stored(*response)));
        catalog.release_key(key, content);
        return response;
    } catch (...) {
        catalog.release_key(key, content);
        throw;
    }
}

HandlerResult run_once(const Request& request, std::string_view fields, Context& context,
                       const std::function<HandlerResult()>& work)
{
    const auto given = read_idempotency_key(request);
    if (!given) return std::unexpected(given.error());
    if (given->empty()) return work();
    const auto key = request_key(request, *given, fields);
    auto& catalog = context.services.catalog;
    const auto claim = claim_request(catalog.connections(), key.name, key.content);
    if (claim.reused_for_different_request) return std::unexpected(key_reused());
    if (claim.response) return opened(key, *claim.response);
    if (claim.is_running) return std::unexpected(key_in_use());
    try {
        auto response = work();
        if (!response) catalog.release_key(key.name, key.content);
        if (!response) return response;
        return opened(key, catalog.store_response(key.name, key.content, sealed(key, *response)));
    } catch (...) {
        catalog.release_key(key.name, key.content);
        throw;
    }
}

HandlerResult call_handler(const Route& route, const Request& request, Context& context)
{
    const auto work = [&] {
        auto result = route.blocking(request, context);
        if (!result && result.error().code == drawn_otherwise) result = route.blocking(request, context);
        return result;
    };
    return is_done_once(route) ? run_once(request, {}, context, work) : work();
}

} // namespace vitrine::server
