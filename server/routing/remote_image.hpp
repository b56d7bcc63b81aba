#pragma once
// Images that a process without a device has drawn by a worker: the request itself is handed over, and
// answered there by the handler of its route.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/workers/render_queue.hpp"

namespace vitrine::server {

struct Context;     // server/routing/context.hpp
struct AssetRecord; // server/services/catalog/records.hpp

// Text of a GET request: its path, its parameters, and the field Accept. `key`: of the image, which may be
// handed over by the derived data that processes share; null: in the answer.
std::string order_text(const Request& request, const DerivedKey* key = nullptr);
// Empty if the text is not one of order_text(), or has no key.
std::optional<Request> parse_order(std::string_view text);
std::optional<DerivedKey> parse_order_key(std::string_view text);

// The problem of a problem document, as the worker has written it; 503 if it is none.
api::Problem parse_problem(const DrawOutcome& outcome);
DrawOutcome to_outcome(const api::Problem& problem);

// Returns the response with status 200 that a worker gives to the request. `id`: digest of what the response
// is made from: equal ones are drawn once. `key`: of the image; null: a pick. An empty body: the image is
// found in the shared derived data. Blocking.
std::expected<DrawOutcome, api::Problem> draw_remotely(const Request& request, Context& context,
                                                       const AssetRecord& asset, const std::string& id,
                                                       const DerivedKey* key = nullptr);

} // namespace vitrine::server
