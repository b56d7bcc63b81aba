#pragma once
// Rows of the table of routes: what the routes of one kind have in common.

#include "server/handlers/handlers.hpp"
#include "server/handlers/query_params.hpp"

namespace vitrine::server::route_rows {

constexpr Route read(std::string_view pattern, std::string_view name, Pool pool, BlockingHandler handler,
                     ResponseSource source = ResponseSource::asset)
{
    return {.pattern = pattern,
            .name = name,
            .access = Access::read,
            .pool = pool,
            .blocking = handler,
            .source = source,
            .is_text = true};
}

// Images and model files, whose formats are compressed or whose bodies are files.
constexpr Route read_binary(std::string_view pattern, std::string_view name, Pool pool,
                            BlockingHandler handler, ResponseSource source = ResponseSource::asset)
{
    return {.pattern = pattern,
            .name = name,
            .access = Access::read,
            .pool = pool,
            .blocking = handler,
            .source = source};
}

constexpr Route write(Method method, std::string_view pattern, std::string_view name, BlockingHandler handler,
                      std::uint64_t body_bytes = 0)
{
    return catalog_route(method, Access::write, pattern, name, handler, body_bytes);
}

// Answered while all pools are busy.
constexpr Route public_route(std::string_view pattern, std::string_view name, AsyncHandler handler)
{
    return {
        .pattern = pattern, .name = name, .access = Access::anyone, .async = handler, .is_unlimited = true};
}

constexpr auto catalog = Pool::catalog;
constexpr auto scenes = Pool::scenes;
constexpr auto exports = Pool::exports;

constexpr Route read_poses(std::string_view pattern, std::string_view name, BlockingHandler handler)
{
    auto route = read(pattern, name, scenes, handler);
    route.is_large = names_several_times;
    return route;
}

constexpr Route read_still(std::string_view pattern, std::string_view name, BlockingHandler handler,
                           ResponseSource source = ResponseSource::asset)
{
    auto route = read_binary(pattern, name, scenes, handler);
    route.is_large = has_many_pixels;
    route.source = source;
    return route;
}

// Images and picks.
constexpr Route drawn(Route route)
{
    route.is_drawn = route.is_costly = true;
    return route;
}

// Drawn once, and then stored.
constexpr Route drawn_once(Route route)
{
    route.is_drawn = true;
    return route;
}

// Of several assets: a request may need far more than one of one asset.
constexpr Route watched(Route route)
{
    route.is_watched = true;
    return route;
}

constexpr Route read_sequence_of_many(std::string_view pattern, std::string_view name,
                                      BlockingHandler handler)
{
    auto route = read_binary(pattern, name, exports, handler);
    route.source = ResponseSource::catalog;
    return watched(route);
}

// The parameters are the body; otherwise as GET of the path, which `get` answers.
template <BlockingHandler get, auto answer = answer_json>
constexpr Route post_read(std::string_view pattern, std::string_view name, Pool pool)
{
    return {
        .method = Method::post,
        .pattern = pattern,
        .name = name,
        .access = Access::read,
        .granted = Granted::asset,
        .pool = pool,
        .blocking = [](const Request& request, Context& context) { return answer(request, context, get); },
        .body_bytes = 256 * 1024};
}

// The model is the body, of which nothing is kept.
constexpr Route posted(std::string_view pattern, std::string_view name, AsyncHandler handler)
{
    return {.method = Method::post,
            .pattern = pattern,
            .name = name,
            .access = Access::read,
            .granted = Granted::anything,
            .async = handler,
            .is_costly = true};
}

constexpr Route write_async(Method method, std::string_view pattern, std::string_view name,
                            AsyncHandler handler)
{
    return {.method = method, .pattern = pattern, .name = name, .access = Access::write, .async = handler};
}

constexpr Route unlimited(Route route)
{
    route.is_unlimited = true;
    return route;
}

// A write that may wait for a scene.
constexpr Route write_scene(Method method, std::string_view pattern, std::string_view name,
                            BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    auto route = write(method, pattern, name, handler, body_bytes);
    route.pool = Pool::scenes;
    return route;
}

constexpr Route about_own(bool (*is_about_own)(const Request&), Route route)
{
    route.is_about_own = is_about_own;
    return route;
}

// Only who may write needs to know it.
constexpr Route for_writers(Route route)
{
    route.access = Access::write;
    return route;
}

} // namespace vitrine::server::route_rows
