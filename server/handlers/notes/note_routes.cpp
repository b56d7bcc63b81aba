// Notes of all assets.
#include "server/handlers/notes/note_routes.hpp"

#include "server/handlers/notes/note_body.hpp"
#include "server/handlers/notes/note_query.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

HandlerResult note_response(const Result<Note>& note)
{
    if (!note) return problem(note.error());
    auto response = json_response(200, to_json(*note));
    add_caching(response, note->etag());
    return response;
}

} // namespace

NoteQuery read_note_query(QueryReader& reader, const Principal& principal)
{
    NoteQuery query{.author = reader.text("author").value_or(""),
                    .resolved = reader.flag("resolved"),
                    .limit = reader.integer("limit", 1, 500).value_or(100),
                    .cursor = reader.text("cursor").value_or("")};
    if (query.author == "me") query.author = to_text(principal);
    return query;
}

HandlerResult list_notes(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto query = read_note_query(reader, request.principal);
    query.asset = reader.text("asset").value_or("");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto page = context.services.notes.list(query);
    if (!page) return problem(page.error());
    boost::json::array items;
    for (const auto& note : page->items)
        items.push_back(to_json(note));
    return page_response(request, std::move(items), page->next);
}

HandlerResult get_note(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto note = context.services.notes.find(request.param("id"));
    if (note)
        if (auto same = not_modified(request, note->etag())) return std::move(*same);
    return note_response(note);
}

HandlerResult change_note(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    const auto members = read_note_body(*body, false);
    if (!members) return std::unexpected(members.error());
    const NoteChange change{members->text, members->resolved, read_if_match(request)};
    const auto editor = request.principal.role == Role::admin ? std::string() : to_text(request.principal);
    return note_response(context.services.notes.change(request.param("id"), change, editor));
}

HandlerResult delete_note(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto removed = context.services.notes.remove(request.param("id"), read_if_match(request));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
