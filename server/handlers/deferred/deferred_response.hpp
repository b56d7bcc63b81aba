#pragma once
// Requests with `Prefer: respond-async` (RFC 7240), and their jobs.

#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "server/routing/context.hpp"
#include "server/routing/route.hpp"
#include "server/services/response_jobs/response_jobs.hpp"

namespace vitrine::server {

bool prefers_async(const Request& request);
// Makes a response, whose work the job does, the one to a request that prefers_async(): 202 with the place of
// the job.
void answer_async(Response& response, const std::string& job);

// Answers a GET request that prefers_async() with 202, and calls `handler` later. Empty: respond at once.
// Blocking.
std::optional<HandlerResult> defer_response(const Request& request, Context& context,
                                            BlockingHandler handler);
boost::json::object to_json(const ResponseJob& job);

// A handler whose response may be deferred: one that is found in the derived files once it was made.
template <BlockingHandler handler>
HandlerResult deferrable(const Request& request, Context& context)
{
    auto deferred = defer_response(request, context, handler);
    return deferred ? std::move(*deferred) : handler(request, context);
}

} // namespace vitrine::server
