#include "server/handlers/idempotency.hpp"

#include <algorithm>

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

Response replay_response(StoredResponse answer)
{
    auto response = text_response(answer.status, "application/json", std::move(answer.body));
    response.headers.add("Cache-Control", "no-cache");
    if (!answer.location.empty()) response.headers.add("Location", std::move(answer.location));
    return response;
}

} // namespace

std::expected<std::string, api::Problem> read_idempotency_key(const Request& request)
{
    auto key = request.headers.find("Idempotency-Key");
    if (!key) return std::string();
    bool visible = std::ranges::all_of(*key, [](char c) { return c > 0x20 && c < 0x7f; });
    if (!key->empty() && key->size() <= max_key_bytes && visible) return std::string(*key);
    return problem(400, "bad_idempotency_key", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}

HandlerResult run_idempotent(const std::string& key, const std::string& content, Context& context,
                             const std::function<HandlerResult()>& work)
{
    if (key.empty()) return work();
    auto& catalog = context.services.catalog;
    auto claim = catalog.claim_key(key, content);
    if (claim.of_other_content)
        return problem(422, "idempotency_key_reused",
                       "This Idempotency-Key was used for a different request.");
    if (claim.answer) return replay_response(std::move(*claim.answer));
    auto answer = work();
    if (answer) return replay_response(catalog.store_response(key, content, stored(*answer)));
    catalog.release_key(key, content);
    return answer;
}

} // namespace vitrine::server
