#pragma once
// Routes of /v1/libraries and their handlers.

#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

HandlerResult list_libraries(const Request& request, Context& context);
HandlerResult create_library(const Request& request, Context& context);
HandlerResult get_library(const Request& request, Context& context);
HandlerResult change_library(const Request& request, Context& context);
HandlerResult delete_library(const Request& request, Context& context);
HandlerResult scan_library(const Request& request, Context& context);

constexpr Route library_route(Method method, std::string_view pattern, std::string_view name,
                              BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return catalog_route(method, Access::administer, pattern, name, handler, body_bytes);
}

// Paths of the server's machine are for its administrators.
inline constexpr std::array folder_library_routes{
    library_route(Method::get, "/v1/libraries", "listLibraries", list_libraries),
    library_route(Method::post, "/v1/libraries", "createLibrary", create_library, 128 * 1024),
    library_route(Method::get, "/v1/libraries/{id}", "getLibrary", get_library),
    library_route(Method::patch, "/v1/libraries/{id}", "changeLibrary", change_library, 128 * 1024),
    library_route(Method::delete_, "/v1/libraries/{id}", "deleteLibrary", delete_library),
    library_route(Method::post, "/v1/libraries/{id}/scan", "scanLibrary", scan_library, 1024),
};

} // namespace vitrine::server
