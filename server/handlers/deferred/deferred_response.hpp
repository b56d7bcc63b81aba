#pragma once
// Requests with `Prefer: respond-async` (RFC 7240), and their jobs.

#include <functional>
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

// A response to a request whose parameters or model are its body. With Context::checks_only only the problem
// of the request, or an empty response.
using DeferredHandler = std::function<HandlerResult(const Request&, Context&)>;

// Whether to answer with defer_kept_response(): POST requests that prefer_async().
bool may_defer_kept(const Request& request, const Context& context);
// Answers with the problem that `handler` finds at once, or with 202. Then it is called later, and its
// response is kept as long as the job: kept_response(). Blocking.
HandlerResult defer_kept_response(const Request& request, Context& context, DeferredHandler handler);
// The response of the job {id} to the one who has sent its request, or to an admin. Blocking.
HandlerResult kept_response(const Request& request, Context& context);
// Without the fields that ask for a part of a response, or for one only in some state.
Headers fields_of_whole_response(const Headers& fields);
// Stores it for kept_response(). False: there is no room. Precondition: the body is text, bytes or a file.
bool keep_response(KeptAnswers& answers, const std::string& job, const Response& response);
// Whether the principal has sent the request of the job.
bool is_of_sender(const ResponseJob& job, const Principal& principal);

// A handler whose response may be deferred: one that is found in the derived files once it was made.
template <BlockingHandler handler>
HandlerResult deferrable(const Request& request, Context& context)
{
    auto deferred = defer_response(request, context, handler);
    return deferred ? std::move(*deferred) : handler(request, context);
}

} // namespace vitrine::server
