#pragma once
// Requests with an Idempotency-Key, which are repeated without being done again.

#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "server/routing/context.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {

// Returns an empty string without the field; 400 when it is not 1 to 255 visible characters.
std::expected<std::string, api::Problem> read_idempotency_key(const Request& request);

// Runs `work` once per Idempotency-Key and keeps its response (JSON and Location) for a day, so that a
// repeated POST whose first response was lost gets the same response; errors of `work` are not kept.
// `content` identifies the request: a different `content` with the same key is 422, and 409 while the first
// one runs. Without a key it only runs `work`. Blocking.
HandlerResult run_idempotent(const std::string& key, const std::string& content, Context& context,
                             const std::function<HandlerResult()>& work);

// Runs `work` once per Idempotency-Key of this principal, method, target, `fields` and body: 409 while
// another such request runs, 422 for a different request. Errors of `work` are not kept. The stored response,
// with its header fields, can only be read with the key, because it may show a secret that is shown once.
// Blocking.
HandlerResult run_once(const Request& request, std::string_view fields, Context& context,
                       const std::function<HandlerResult()>& work);

// Whether a request to the route that is repeated with its Idempotency-Key is not done again: each POST that
// changes something. POSTs that only read have parameters or a model as their body.
constexpr bool is_done_once(const Route& route)
{
    const bool changes_library = route.access == Access::write || route.access == Access::administer;
    const bool changes_own = route.name == "createSearch"; // what belongs to the one who sends the request
    return route.method == Method::post && (changes_library || changes_own);
}

// Calls the blocking handler, as run_once() does if the route is_done_once(). A worker may know a newer state
// of the asset than the handler has read: then the handler reads it again.
HandlerResult call_handler(const Route& route, const Request& request, Context& context);

} // namespace vitrine::server
