#include "api/problem.hpp"

#include <boost/json/array.hpp>

namespace vitrine::api {
namespace json = boost::json;

std::string_view title(int status)
{
    switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 421: return "Misdirected Request";
    case 426: return "Upgrade Required";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 507: return "Insufficient Storage";
    default: return "Internal Server Error";
    }
}

json::object to_json(const Problem& problem)
{
    json::object object{{"type", "urn:vitrine:problem:" + problem.code},
                        {"title", json::string(title(problem.status))},
                        {"status", problem.status},
                        {"detail", problem.detail},
                        {"code", problem.code}};
    json::array errors;
    for (const auto& error : problem.errors) {
        errors.push_back(json::object{{"pointer", error.pointer}, {"detail", error.detail}});
    }
    object["errors"] = std::move(errors);
    if (!problem.where.empty()) object["where"] = problem.where;
    object["requestId"] = problem.request_id;
    return object;
}

} // namespace vitrine::api
