#include "server/handlers/deferred/deferred_response.hpp"

#include <memory>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <spdlog/spdlog.h>

#include "api/resources.hpp"
#include "loaders/base/ascii.hpp"
#include "loaders/base/stop.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/response_cache.hpp"
#include "server/services/storage/memory_files.hpp"
#include "server/services/workers/remote_renderer.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

std::string document_of(const api::Problem& problem)
{
    return json::serialize(api::to_json(problem));
}

// As the dispatcher does: a worker may know a newer state of the asset.
HandlerResult call(const DeferredHandler& handler, const Request& request, Context& context)
{
    auto result = handler(request, context);
    if (!result && result.error().code == drawn_otherwise) result = handler(request, context);
    return result;
}

// The problem of the response, without one that of `keep`. Throws Stopped.
std::string make_response(const DeferredHandler& handler, const Request& request, Context& context,
                          const std::function<std::string(const Response&)>& keep)
{
    try {
        const auto result = call(handler, request, context);
        return result ? keep(*result) : document_of(result.error());
    } catch (const Stopped&) {
        throw;
    } catch (const MemoryFull& full) {
        return document_of(to_problem(full));
    } catch (const ResponsesFull& full) {
        return document_of({.status = 503, .code = "responses_full", .detail = full.what()});
    } catch (const StorageError& error) {
        spdlog::error("msg=\"response not made\" id={} error={:?}", request.id,
                      std::string_view(error.what()));
        return document_of(to_problem(error));
    } catch (const std::exception& error) {
        spdlog::error("msg=\"response not made\" id={} error={:?}", request.id,
                      std::string_view(error.what()));
        return document_of(
            {.status = 500,
             .code = "internal",
             .detail = "An internal error occurred; the server's log has details under the id of the "
                       "request."});
    }
}

// Those by links and signatures cannot see jobs.
bool may_defer(const Request& request, const Context& context)
{
    return request.principal.role >= Role::viewer && !context.may_block && context.posted == nullptr &&
           prefers_async(request);
}

// The request without its connection, for which the client does not wait.
std::shared_ptr<Request> copy_of(const Request& request)
{
    auto asked = std::make_shared<Request>(request);
    asked->socket.reset();
    return asked;
}

// For a thread of the jobs.
std::shared_ptr<Context> waiting_copy_of(const Context& context)
{
    auto waiting = std::make_shared<Context>(context);
    waiting->may_block = true;
    return waiting;
}

HandlerResult start_job(const Request& request, Context& context, ResponseJobs::Work work)
{
    const auto job = context.services.response_jobs.start({.target = target_of(request),
                                                           .method = request.method_name,
                                                           .principal = to_text(request.principal)},
                                                          context.limits.answer_time, std::move(work));
    if (!job) return problem(job.error());
    auto response = json_response(202, to_json(*job));
    answer_async(response, job->id);
    response.headers.set("Cache-Control", "no-store");
    response.headers.add("Retry-After", "1");
    return response;
}

std::string result_of(const ResponseJob& job)
{
    return job.request.method == "GET" ? job.request.target : "/v1/jobs/" + job.id + "/result";
}

json::value time_of(Micros time)
{
    return time == 0 ? json::value() : json::value(api::to_rfc3339(time));
}

} // namespace

bool prefers_async(const Request& request)
{
    const auto field = request.headers.find("Prefer");
    return field && any_element(*field, [](std::string_view preference) {
               const auto end = preference.find(';'); // its parameters, of which it has none
               return ascii::lower(without_blanks(preference.substr(0, end))) == "respond-async";
           });
}

void answer_async(Response& response, const std::string& job)
{
    response.status = 202;
    response.headers.set("Location", "/v1/jobs/" + job);
    response.headers.add("Preference-Applied", "respond-async");
}

std::optional<HandlerResult> defer_response(const Request& request, Context& context, BlockingHandler handler)
{
    if (request.method != Method::get || !may_defer(request, context)) return std::nullopt;
    return start_job(request, context,
                     [handler, asked = copy_of(request), waiting = waiting_copy_of(context)](const auto&) {
                         return make_response(handler, *asked, *waiting,
                                              [](const Response&) { return std::string(); });
                     });
}

bool may_defer_kept(const Request& request, const Context& context)
{
    return request.method == Method::post && may_defer(request, context);
}

HandlerResult defer_kept_response(const Request& request, Context& context, DeferredHandler handler)
{
    auto asked = copy_of(request);
    asked->headers = fields_of_whole_response(request.headers);
    Context checking(context);
    checking.checks_only = true;
    if (auto checked = call(handler, *asked, checking); !checked) return checked;
    return start_job(
        request, context,
        [handler = std::move(handler), asked, waiting = waiting_copy_of(context)](const auto& id) {
            auto& answers = waiting->services.response_jobs.answers();
            return make_response(handler, *asked, *waiting, [&](const Response& response) {
                if (keep_response(answers, id, response)) return std::string();
                return document_of({.status = 507,
                                    .code = "storage_full",
                                    .detail = "There is no room to keep the response."});
            });
        });
}

bool is_of_sender(const ResponseJob& job, const Principal& principal)
{
    return !job.request.principal.empty() && job.request.principal == to_text(principal);
}

json::object to_json(const ResponseJob& job)
{
    const bool is_made = job.state == api::JobState::succeeded;
    return {{"id", job.id},
            {"kind", "response"},
            {"state", api::to_string(job.state)},
            {"method", job.request.method},
            {"target", job.request.target},
            {"result", is_made ? json::value(result_of(job)) : json::value()},
            {"problem", job.problem.empty() ? json::value() : json::parse(job.problem)},
            {"createdAt", time_of(job.created)},
            {"startedAt", time_of(job.started)},
            {"finishedAt", time_of(job.finished)}};
}

} // namespace vitrine::server
