#include "server/handlers/access/json_body.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {

namespace json = boost::json;

std::optional<api::Problem> reject_parameters(const Request& request)
{
    if (request.target.query.empty()) return std::nullopt;
    return api::Problem{.status = 400, .code = "bad_query", .detail = "This route has no query parameters."};
}

std::expected<void, api::Problem> read_members(const Request& request, std::string_view what,
                                               std::initializer_list<std::string_view> required,
                                               const ReadMember& read)
{
    if (!request.headers.find("Content-Type").value_or("application/json").starts_with("application/json"))
        return problem(415, "unsupported_media_type", fmt::format("Send the {} as application/json.", what));
    boost::system::error_code error;
    const auto value = json::parse(request.body, error);
    if (error || !value.is_object()) return problem(400, "bad_json", "The body must be one JSON object.");
    api::Problem rejection{
        .status = 400, .code = "bad_body", .detail = fmt::format("The body describes no {}.", what)};
    const auto reject = [&](std::string_view key, std::string_view why) {
        rejection.errors.push_back(
            {.pointer = fmt::format("/{}", key), .detail = fmt::format("{} {}", key, why)});
    };
    for (const auto& [key, member] : value.as_object())
        if (const auto why = read(key, member); !why.empty()) reject(key, why);
    for (const auto key : required)
        if (!value.as_object().contains(key)) reject(key, "is required");
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    return {};
}

Response json_answer(int status, const json::value& value, std::string_view caching)
{
    auto response = text_response(status, "application/json", api::to_text(value));
    response.headers.add("Cache-Control", std::string(caching));
    return response;
}

api::Problem sign_in_problem(unsigned retry_after_s, int status)
{
    if (retry_after_s > 0)
        return {.status = 429,
                .code = "too_many_attempts",
                .detail = "Too many passwords were wrong; try again later.",
                .retry_after_s = retry_after_s};
    return {.status = status, .code = "wrong_password", .detail = "The name or the password is wrong."};
}

json::value time_or_null(Micros time)
{
    return time == 0 ? json::value() : json::value(api::to_rfc3339(time));
}

} // namespace vitrine::server
