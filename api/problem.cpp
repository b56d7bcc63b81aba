#include "api/problem.hpp"

#include <ranges>

#include <boost/json/array.hpp>

#include "api/reason_phrase.hpp"

namespace vitrine::api {
namespace json = boost::json;

json::object to_json(const Problem& problem)
{
    const auto phrase = reason_phrase(problem.status);
    json::object object{{"type", "urn:vitrine:problem:" + problem.code},
                        {"title", json::string(phrase.empty() ? "Internal Server Error" : phrase)},
                        {"status", problem.status},
                        {"detail", problem.detail},
                        {"code", problem.code}};
    json::array errors;
    for (const auto& error : problem.errors | std::views::take(max_reported_errors)) {
        errors.push_back(json::object{{"pointer", error.pointer}, {"detail", error.detail}});
    }
    object["errors"] = std::move(errors);
    if (!problem.where.empty()) object["where"] = problem.where;
    object["requestId"] = problem.request_id;
    return object;
}

} // namespace vitrine::api
