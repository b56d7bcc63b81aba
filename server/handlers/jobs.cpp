// Jobs: list imports and refreshes; read the state of one, or of a deferred response, cancel it. The workers
// that run them.
#include <fmt/format.h>

#include "api/resources.hpp"
#include "api/worker_json.hpp"
#include "loaders/base/parse_whole.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/deferred/deferred_response.hpp"
#include "server/handlers/handlers.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/workers/worker_directory.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

HandlerResult response_job(int status, const Result<ResponseJob>& job)
{
    if (!job) return problem(job.error());
    auto response = json_response(status, to_json(*job));
    response.headers.set("Cache-Control", "no-store");
    if (job->finished == 0) response.headers.add("Retry-After", "1");
    return response;
}

} // namespace

// The job reads the body again.
HandlerResult answer_json_or_defer(const Request& request, Context& context, BlockingHandler handler)
{
    if (!may_defer_kept(request, context)) return answer_json(request, context, handler);
    return defer_kept_response(request, context, [handler](const Request& asked, Context& waiting) {
        return answer_json(asked, waiting, handler);
    });
}

HandlerResult get_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto& id = request.param("id");
    if (is_response_job(id)) return response_job(200, context.services.response_jobs.find(id));
    auto job = context.services.catalog.find_job(id);
    if (!job) return problem(job.error());
    return json_response(200, to_json(*job));
}

namespace {

constexpr std::string_view cursor_separator = "-"; // between time and id

std::string cursor_after(const JobRecord& job)
{
    return fmt::format("{}{}{}", job.created, cursor_separator, job.id);
}

std::optional<JobPosition> parse_job_cursor(std::string_view text)
{
    const auto end = text.find(cursor_separator);
    const auto created = parse_whole<Micros>(text.substr(0, end));
    if (end == text.npos || !created) return std::nullopt;
    return JobPosition{*created, std::string(text.substr(end + cursor_separator.size()))};
}

// Reads a time of the query; 0: there is none.
Micros read_time(QueryReader& reader, std::string_view name)
{
    const auto text = reader.text(name);
    if (!text) return 0;
    const auto time = parse_rfc3339(*text);
    if (!time) reader.reject(name, "must be a time such as 2026-11-28T09:30:00Z");
    return time.value_or(0);
}

JobQuery read_job_query(QueryReader& reader)
{
    JobQuery query;
    query.kind = reader.choice<JobKind>("kind", {{"import", JobKind::import}, {"refresh", JobKind::refresh}});
    query.state = reader.choice<JobState>("state", {{"queued", JobState::queued},
                                                    {"running", JobState::running},
                                                    {"succeeded", JobState::succeeded},
                                                    {"failed", JobState::failed},
                                                    {"cancelled", JobState::cancelled}});
    query.asset = reader.text("asset").value_or("");
    query.from = read_time(reader, "from");
    query.to = read_time(reader, "to");
    query.limit = reader.integer("limit", 1, 500).value_or(query.limit);
    if (const auto cursor = reader.text("cursor")) {
        query.after = parse_job_cursor(*cursor);
        if (!query.after) reader.reject("cursor", "must be one that this server sent");
    }
    return query;
}

} // namespace

HandlerResult list_jobs(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto query = read_job_query(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto wanted = query.limit++; // one more: whether there is a next page
    auto jobs = context.services.catalog.list_jobs(query);
    std::string next;
    if (jobs.size() > wanted) {
        jobs.pop_back();
        next = cursor_after(jobs.back());
    }
    auto response = json_response(200, api::list_json(jobs, next));
    if (!next.empty())
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, next)));
    return response;
}

HandlerResult retry_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto job = context.services.catalog.retry_job(request.param("id"));
    if (!job) return problem(job.error());
    return json_response(202, to_json(*job));
}

namespace {

// Who has sent the request of the response, or an editor.
HandlerResult cancel_response(const Request& request, Context& context)
{
    auto& jobs = context.services.response_jobs;
    const auto& id = request.param("id");
    const auto job = jobs.find(id);
    if (!job) return problem(job.error());
    if (request.principal.role < Role::editor && !is_of_sender(*job, request.principal))
        return std::unexpected(
            role_problem(Role::editor, "Only who has sent the request, or an editor, cancels its response."));
    return response_job(202, jobs.cancel(id));
}

} // namespace

HandlerResult get_job_result(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    if (is_response_job(request.param("id"))) return kept_response(request, context);
    if (auto job = context.services.catalog.find_job(request.param("id")); !job) return problem(job.error());
    return problem(404, "no_job_result", "Only deferred responses have a result.");
}

HandlerResult cancel_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto& id = request.param("id");
    if (is_response_job(id)) return cancel_response(request, context);
    auto job = context.services.catalog.cancel_job(id);
    if (!job) return problem(job.error());
    return json_response(202, to_json(*job));
}

HandlerResult list_workers(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto limit = reader.integer("limit", 1, WorkerDirectory::max_workers).value_or(100);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return json_response(200, api::list_json(context.services.list_workers(limit)));
}

} // namespace vitrine::server
