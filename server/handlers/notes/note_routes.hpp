#pragma once
// Routes of notes on assets, with their handlers.

#include <array>

#include "server/routing/route.hpp"

namespace vitrine::server {

// note_routes.cpp
HandlerResult list_notes(const Request& request, Context& context);
HandlerResult get_note(const Request& request, Context& context);
HandlerResult change_note(const Request& request, Context& context);
HandlerResult delete_note(const Request& request, Context& context);
// asset_notes.cpp
HandlerResult list_asset_notes(const Request& request, Context& context);
HandlerResult create_note(const Request& request, Context& context);

inline constexpr std::uint64_t max_note_body_bytes = 32 * 1024;

// Places of notes need the Scene.
constexpr Route on_scenes(Route route)
{
    route.pool = Pool::scenes;
    return route;
}

inline constexpr std::array note_routes{
    granted(Granted::asset, on_scenes({.pattern = "/v1/assets/{id}/notes",
                                       .name = "listAssetNotes",
                                       .access = Access::read,
                                       .blocking = list_asset_notes,
                                       .is_text = true})),
    granted(Granted::asset, on_scenes(catalog_route(Method::post, Access::write, "/v1/assets/{id}/notes",
                                                    "createNote", create_note, max_note_body_bytes))),
    Route{.pattern = "/v1/notes",
          .name = "listNotes",
          .access = Access::read,
          .granted = Granted::list,
          .blocking = list_notes,
          .is_text = true},
    Route{.pattern = "/v1/notes/{id}",
          .name = "getNote",
          .access = Access::read,
          .granted = Granted::note,
          .blocking = get_note},
    granted(Granted::note, catalog_route(Method::patch, Access::write, "/v1/notes/{id}", "changeNote",
                                         change_note, max_note_body_bytes)),
    granted(Granted::note,
            catalog_route(Method::delete_, Access::write, "/v1/notes/{id}", "deleteNote", delete_note)),
};

} // namespace vitrine::server
