#include "server/routing/idempotency.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/routing/problems.hpp"

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
    auto claim = catalog.claim_key(key, content);
    if (claim.reused_for_different_request)
        return problem(422, "idempotency_key_reused",
                       "This Idempotency-Key was used for a different request.");
    if (claim.response) return replay_response(std::move(*claim.response));
    auto response = work();
    if (response) return replay_response(catalog.store_response(key, content, stored(*response)));
    catalog.release_key(key, content);
    return response;
}

} // namespace vitrine::server
