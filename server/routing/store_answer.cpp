#include "server/routing/store_answer.hpp"

#include "server/net/request_guard.hpp"
#include "server/routing/revalidation.hpp"

namespace vitrine::server {
namespace {

// Moves a body in memory; that of an earlier answer is copied. Returns false for other bodies.
bool move_content(ResponseBody& body, PreparedAnswer& answer)
{
    if (auto* text = std::get_if<std::string>(&body))
        answer.content = std::move(*text);
    else if (const auto* bytes = std::get_if<SharedBytes>(&body))
        answer.content = *bytes;
    else if (const auto* earlier = std::get_if<SharedAnswer>(&body))
        answer.content = (*earlier)->content;
    else
        return false;
    return true;
}

void move_back(PreparedAnswer& answer, ResponseBody& body)
{
    if (auto* text = std::get_if<std::string>(&answer.content))
        body = std::move(*text);
    else
        body = std::get<SharedBytes>(answer.content);
}

} // namespace

std::string target_of(const Request& request)
{
    const auto& target = request.target;
    return target.raw_query.empty() ? target.path : target.path + "?" + target.raw_query;
}

AnswerKey key_of(const Request& request, const std::string& target, Encoding encoding)
{
    return {target, request.headers.find("Accept").value_or(""), encoding};
}

void store_answer(AnswerCache& answers, const Request& request, const AnswerOrigin& origin,
                  Response& response)
{
    const bool is_private = response.headers.find("Set-Cookie").has_value() ||
                            response.headers.find("Cache-Control").value_or("").contains("no-store");
    if (is_private || !response.headers.find("ETag")) return;
    const auto target = target_of(request);
    const auto key = key_of(request, target, origin.encoding);
    PreparedAnswer answer{.etag = std::string(*response.headers.find("ETag")), .route = origin.route};
    if (response.status == 304 && !answers.find(key)) {
        answer.unchanged_head = serialize_fields(response);
        answers.insert(key, answer, origin.validity);
    }
    if (response.status != 200) return;
    auto same = unchanged(response);
    add_security_headers(same);
    answer.unchanged_head = serialize_fields(same);
    answer.head = serialize_fields(response);
    if (!move_content(response.body, answer)) return;
    if (auto stored = answers.insert(key, answer, origin.validity))
        response.body = std::move(stored);
    else
        move_back(answer, response.body);
}

} // namespace vitrine::server
