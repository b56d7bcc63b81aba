#include "server/routing/revalidation.hpp"

#include <span>

#include "server/net/byte_range.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

bool wants_tag(const Request& request, const Response& response)
{
    bool reads = request.method == Method::get || request.method == Method::head;
    auto caching = response.headers.find("Cache-Control").value_or("");
    return reads && response.status == 200 && !response.headers.find("ETag") &&
           caching.find("no-store") == std::string_view::npos;
}

// Returns an empty string if the body is not in memory.
std::string tag_of(const ResponseBody& body)
{
    Sha256 hash;
    if (auto text = std::get_if<std::string>(&body)) {
        hash.update(std::string_view(*text));
    } else if (auto bytes = std::get_if<SharedBytes>(&body); bytes && *bytes) {
        hash.update(std::span(**bytes));
    } else {
        return {};
    }
    return "\"" + hash.finish().substr(0, 32) + "\"";
}

} // namespace

std::optional<api::Problem> check_if_match(const Request& request, const Response& response)
{
    const auto wanted = request.headers.find("If-Match");
    const bool reads = request.method == Method::get || request.method == Method::head;
    if (!wanted || !reads || response.status >= 400) return std::nullopt;
    if (matches_strongly(*wanted, response.headers.find("ETag").value_or(""))) return std::nullopt;
    return api::Problem{.status = 412,
                        .code = "precondition_failed",
                        .detail = "The response has another entity tag than If-Match names."};
}

Response unchanged(const Response& response)
{
    Response same{.status = 304};
    for (auto name : {"ETag", "Cache-Control", "Vary"}) {
        if (auto value = response.headers.find(name)) same.headers.add(name, std::string(*value));
    }
    return same;
}

void revalidate(const Request& request, Response& response)
{
    if (!wants_tag(request, response)) return;
    auto tag = tag_of(response.body);
    if (tag.empty()) return;
    response.headers.set("ETag", tag);
    if (!response.headers.find("Cache-Control")) response.headers.set("Cache-Control", "no-cache");
    auto known = request.headers.find("If-None-Match");
    if (known && matches_etag(*known, tag)) response = unchanged(response);
}

} // namespace vitrine::server
