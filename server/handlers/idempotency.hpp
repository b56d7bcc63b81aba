#pragma once
// Idempotency-Key: a POST that is sent again by a client that did not hear the answer gets that answer.

#include <expected>
#include <functional>
#include <string>

#include "server/routing/context.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {

// Empty without the field; 400 when it is not 1 to 255 visible characters.
std::expected<std::string, api::Problem> read_idempotency_key(const Request& request);

// `work` once for each key, its answer (JSON and Location) kept for a day; what `work` refuses is not kept.
// `content` names what is asked for: another with the same key is 422. Without a key just `work`. Blocking.
HandlerResult run_idempotent(const std::string& key, const std::string& content, Context& context,
                             const std::function<HandlerResult()>& work);

} // namespace vitrine::server
