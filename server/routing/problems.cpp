#include "server/routing/problems.hpp"

#include <boost/json/serialize.hpp>

namespace vitrine::server {
namespace {

int status_of(Errc kind)
{
    switch (kind) {
    case Errc::invalid: return 400;
    case Errc::not_found: return 404;
    case Errc::conflict: return 409;
    case Errc::precondition_failed: return 412;
    case Errc::too_large: return 413;
    case Errc::unprocessable: return 422;
    case Errc::not_ready: return 409;
    case Errc::no_room: return 507;
    case Errc::busy:
    case Errc::unavailable: return 503;
    }
    return 500;
}

} // namespace

std::unexpected<api::Problem> problem(int status, std::string code, std::string detail)
{
    return std::unexpected(
        api::Problem{.status = status, .code = std::move(code), .detail = std::move(detail)});
}

api::Problem to_problem(const ServiceError& error)
{
    api::Problem problem{.status = status_of(error.kind), .code = error.code, .detail = error.detail};
    problem.where = error.where;
    problem.retry_after_s = error.retry_after_s;
    bool waits = error.kind == Errc::busy || error.kind == Errc::not_ready;
    if (waits && problem.retry_after_s == 0) problem.retry_after_s = 1;
    return problem;
}

std::unexpected<api::Problem> problem(const ServiceError& error)
{
    return std::unexpected(to_problem(error));
}

api::Problem role_problem(Role least, std::string detail)
{
    return {.status = 403,
            .code = "role_required",
            .detail = std::move(detail),
            .bearer_error = insufficient_scope(least)};
}

api::Problem to_problem(const StorageError& error)
{
    switch (error.kind) {
    case StorageError::Kind::full:
        return {.status = 507,
                .code = "storage_full",
                .detail = "The server's disk is full; nothing was stored."};
    case StorageError::Kind::read_only:
        return {.status = 503,
                .code = "storage_read_only",
                .detail = "The server's disk is read-only.",
                .retry_after_s = 30};
    case StorageError::Kind::unavailable:
        return {.status = 503,
                .code = "storage_unavailable",
                .detail = "The server's database or the store of its files does not answer; try again later.",
                .retry_after_s = 5};
    case StorageError::Kind::failed: break;
    }
    return {.status = 503,
            .code = "storage_failed",
            .detail = "The server's storage has failed.",
            .retry_after_s = 5};
}

api::Problem to_problem(const MemoryFull& full)
{
    if (full.is_too_large())
        return {.status = 413,
                .code = "upload_too_large",
                .detail = "The files of the body are larger than this server accepts."};
    return {.status = 503,
            .code = "memory_full",
            .detail = "Too many models of other requests are in memory; try again later.",
            .retry_after_s = 2};
}

Response to_response(const api::Problem& problem)
{
    auto response = text_response(problem.status, "application/problem+json",
                                  boost::json::serialize(api::to_json(problem)));
    response.headers.add("Cache-Control", "no-store");
    if (problem.retry_after_s > 0) response.headers.add("Retry-After", std::to_string(problem.retry_after_s));
    const auto& error = problem.bearer_error;
    if (problem.status == 401)
        response.headers.add("WWW-Authenticate",
                             "Basic realm=\"Vitrine\", Bearer" + (error.empty() ? error : ' ' + error));
    else if (!error.empty())
        response.headers.add("WWW-Authenticate", "Bearer realm=\"Vitrine\", " + error);
    return response;
}

std::string code_of_rejection(int status)
{
    switch (status) {
    case 408: return "header_timeout";
    case 414: return "url_too_long";
    case 431: return "header_too_large";
    default: return "bad_request";
    }
}

Response method_not_allowed(const Request& request, const std::vector<Method>& allowed)
{
    auto response = to_response({.status = 405,
                                 .code = "method_not_allowed",
                                 .detail = "This path does not support this method.",
                                 .request_id = request.id});
    response.headers.add("Allow", allow_field(allowed));
    return response;
}

Response without_slash(const Request& request)
{
    const auto& target = request.target;
    Response response{.status = 308};
    auto location = target.path.substr(0, target.path.size() - 1);
    if (!target.raw_query.empty()) location += "?" + target.raw_query;
    response.headers.add("Location", std::move(location));
    return response;
}

Response options_response(const std::vector<Method>& allowed)
{
    Response response{.status = 204};
    response.headers.add("Allow", allow_field(allowed));
    return response;
}

} // namespace vitrine::server
