#include "server/handlers/deferred/deferred_response.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>
#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "loaders/base/ascii.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/remote_image.hpp"
#include "server/services/response_jobs/kept_answers.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t piece_bytes = 1 << 20;

template <std::size_t count>
Headers without(const Headers& fields, const std::array<std::string_view, count>& names)
{
    Headers kept;
    for (const auto& [name, value] : fields)
        if (std::ranges::find(names, ascii::lower(name)) == names.end()) kept.add(name, value);
    return kept;
}

std::string head_of(const Response& response)
{
    json::array fields;
    // The response is one of the job, which ends.
    for (const auto& [name, value] :
         without(response.headers, std::array<std::string_view, 2>{"etag", "cache-control"}))
        fields.push_back(json::array{name, value});
    return json::serialize(json::object{{"status", response.status}, {"fields", std::move(fields)}});
}

void write_slice(const FileSlice& slice, const ContentSink& sink)
{
    for (std::uint64_t at = 0; at < slice.length;) {
        const auto count = std::min<std::uint64_t>(piece_bytes, slice.length - at);
        const auto bytes = slice.file->read(slice.offset + at, static_cast<std::size_t>(count), {});
        if (bytes.empty()) throw std::runtime_error("a file of a response has ended early");
        sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        at += bytes.size();
    }
}

void write_body(const ResponseBody& body, const ContentSink& sink)
{
    if (const auto* slice = std::get_if<FileSlice>(&body)) return write_slice(*slice, sink);
    const auto bytes = body_bytes(body);
    assert(bytes);
    sink(*bytes);
}

Response response_of(const KeptAnswer& answer)
{
    const auto head = json::parse(answer.head);
    Response response{.status = static_cast<int>(head.at("status").as_int64())};
    for (const auto& field : head.at("fields").as_array())
        response.headers.add(std::string(field.at(0).as_string()), std::string(field.at(1).as_string()));
    response.headers.set("Cache-Control", "no-store");
    response.body = FileSlice{.file = answer.file.file,
                              .offset = answer.body_offset,
                              .length = answer.file.size_bytes - answer.body_offset};
    return response;
}

// With the fields that it has at once, too.
api::Problem problem_of(const ResponseJob& job)
{
    const auto status = static_cast<int>(json::parse(job.problem).at("status").as_int64());
    auto made = parse_problem({.status = status, .content_type = {}, .body = job.problem});
    if (status == 503 && made.retry_after_s == 0) made.retry_after_s = 1;
    return made;
}

} // namespace

Headers fields_of_whole_response(const Headers& fields)
{
    return without(fields, std::array<std::string_view, 4>{"if-none-match", "if-match", "if-range", "range"});
}

bool keep_response(KeptAnswers& answers, const std::string& job, const Response& response)
{
    return answers.store(job, head_of(response), [&](const ContentSink& sink) -> Result<void> {
        write_body(response.body, sink);
        return {};
    });
}

HandlerResult kept_response(const Request& request, Context& context)
{
    auto& jobs = context.services.response_jobs;
    const auto job = jobs.find(request.param("id"));
    if (!job) return problem(job.error());
    if (request.principal.role != Role::admin && !is_of_sender(*job, request.principal))
        return std::unexpected(
            role_problem(Role::admin, "Only who has sent the request, or an admin, reads its response."));
    if (job->request.method == "GET")
        return problem(404, "no_job_result", "The result of this job is the URL of its request.");
    if (job->finished == 0)
        return std::unexpected(api::Problem{.status = 409,
                                            .code = "job_not_finished",
                                            .detail = "The response is not made yet.",
                                            .retry_after_s = 1});
    if (!job->problem.empty()) return std::unexpected(problem_of(*job));
    const auto answer = jobs.answers().find(job->id);
    if (job->state == api::JobState::succeeded && answer) return response_of(*answer);
    return problem(410, "job_result_gone", "The response of this job is not kept; send the request again.");
}

} // namespace vitrine::server
