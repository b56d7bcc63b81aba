// Jobs: list them, read the state of an import or a refresh, cancel it. The workers that run them.
#include "api/resources.hpp"
#include "api/worker_json.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/services/workers/worker_directory.hpp"

namespace vitrine::server {

HandlerResult get_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto job = context.services.catalog.find_job(request.param("id"));
    if (!job) return problem(job.error());
    return json_response(200, to_json(*job));
}

HandlerResult list_jobs(const Request& request, Context& context)
{
    QueryReader reader(request);
    JobQuery query;
    query.kind = reader.choice<JobKind>("kind", {{"import", JobKind::import}, {"refresh", JobKind::refresh}});
    query.state = reader.choice<JobState>("state", {{"queued", JobState::queued},
                                                    {"running", JobState::running},
                                                    {"succeeded", JobState::succeeded},
                                                    {"failed", JobState::failed},
                                                    {"cancelled", JobState::cancelled}});
    query.asset = reader.text("asset").value_or("");
    if (!query.asset.empty() && query.kind != JobKind::refresh)
        reader.reject("asset", "is only taken with kind=refresh");
    query.limit = reader.integer("limit", 1, 500).value_or(query.limit);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return json_response(200, api::list_json(context.services.catalog.list_jobs(query)));
}

HandlerResult cancel_job(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto job = context.services.catalog.cancel_job(request.param("id"));
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
