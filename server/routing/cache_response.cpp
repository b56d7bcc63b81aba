#include "server/routing/cache_response.hpp"

#include "server/net/request_guard.hpp"
#include "server/routing/revalidation.hpp"

namespace vitrine::server {
namespace {

// Moves a body in memory; that of an earlier response is copied. Returns false for other bodies.
bool move_content(ResponseBody& body, CachedResponse& cached)
{
    if (auto* text = std::get_if<std::string>(&body))
        cached.content = std::move(*text);
    else if (const auto* bytes = std::get_if<SharedBytes>(&body))
        cached.content = *bytes;
    else if (const auto* earlier = std::get_if<SharedCachedResponse>(&body))
        cached.content = (*earlier)->content;
    else
        return false;
    return true;
}

void move_back(CachedResponse& cached, ResponseBody& body)
{
    if (auto* text = std::get_if<std::string>(&cached.content))
        body = std::move(*text);
    else
        body = std::get<SharedBytes>(cached.content);
}

} // namespace

std::string target_of(const Request& request)
{
    const auto& target = request.target;
    return target.raw_query.empty() ? target.path : target.path + "?" + target.raw_query;
}

ResponseCacheKey key_of(const Request& request, const std::string& target, Encoding encoding)
{
    return {target, request.headers.find("Accept").value_or(""), encoding};
}

void cache_response(ResponseCache& cache, const Request& request, const ResponseOrigin& origin,
                    Response& response)
{
    const bool is_private = response.headers.find("Set-Cookie").has_value() ||
                            response.headers.find("Cache-Control").value_or("").contains("no-store");
    if (is_private || !response.headers.find("ETag")) return;
    const auto target = target_of(request);
    const auto key = key_of(request, target, origin.encoding);
    CachedResponse cached{.etag = std::string(*response.headers.find("ETag")), .route = origin.route};
    if (response.status == 304 && !cache.find(key)) {
        cached.unchanged_head = serialize_fields(response);
        cache.insert(key, cached, origin.validity);
    }
    if (response.status != 200) return;
    auto same = unchanged(response);
    add_security_headers(same);
    cached.unchanged_head = serialize_fields(same);
    cached.head = serialize_fields(response);
    if (!move_content(response.body, cached)) return;
    if (auto stored = cache.insert(key, cached, origin.validity))
        response.body = std::move(stored);
    else
        move_back(cached, response.body);
}

} // namespace vitrine::server
