#pragma once
// Requests with an Idempotency-Key, which are repeated without being done again.

#include <expected>
#include <functional>
#include <string>

#include "server/routing/context.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {

// Returns an empty string without the field; 400 when it is not 1 to 255 visible characters.
std::expected<std::string, api::Problem> read_idempotency_key(const Request& request);

// Runs `work` once per Idempotency-Key and keeps its response (JSON and Location) for a day, so that a
// repeated POST whose first response was lost gets the same response; errors of `work` are not kept.
// `content` identifies the request: a different `content` with the same key is 422. Without a key it only
// runs `work`. Blocking.
HandlerResult run_idempotent(const std::string& key, const std::string& content, Context& context,
                             const std::function<HandlerResult()>& work);

} // namespace vitrine::server
