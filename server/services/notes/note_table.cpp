#include "server/services/notes/note_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/notes/note_rows.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::unexpected<ServiceError> no_note(const std::string& id)
{
    return make_error(Errc::not_found, "no_note", fmt::format("there is no note '{}'", id));
}

Result<void> check_note_room(DatabaseConnection& sql, const std::string& asset)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM notes WHERE asset = :asset", into(count), use(asset);
    if (count < static_cast<long long>(NoteTable::max_notes)) return {};
    return make_error(Errc::conflict, "too_many_notes",
                      fmt::format("an asset must have at most {} notes", NoteTable::max_notes));
}

Note publish_note(DatabaseConnection& sql, const std::string& id, std::string_view event)
{
    auto note = *find_note_row(sql, id);
    index_notes(sql, note.asset);
    record_event(sql, event, api::to_text(boost::json::object{{"note", to_json(note)}}));
    return note;
}

// Locks the asset of the note.
Result<Note> find_note_to_change(DatabaseConnection& sql, const std::string& id, const std::string& if_match)
{
    auto note = find_note_row(sql, id);
    if (!note) return no_note(id);
    lock_asset(sql, note->asset);
    note = find_note_row(sql, id); // as it is behind the lock
    if (!note) return no_note(id);
    if (!if_match.empty() && if_match != note->etag())
        return make_error(Errc::precondition_failed, "edit_conflict",
                          fmt::format("the note's revision is {}, not {}", note->etag(), if_match));
    return std::move(*note);
}

} // namespace

std::string Note::etag() const
{
    return fmt::format("\"n{}\"", revision);
}

std::string note_text_fault(std::string_view text)
{
    const bool has_control = std::ranges::any_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == '\x7f';
    });
    if (!text.empty() && text.size() <= max_note_bytes && !has_control && is_utf8(text)) return {};
    return fmt::format("must be 1 to {} bytes of UTF-8 without control characters but line breaks and tabs",
                       max_note_bytes);
}

Result<NotePage> NoteTable::list(const NoteQuery& query) const
{
    if (!query.cursor.empty() && !query.cursor.starts_with("note_"))
        return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list");
    const auto limit = std::clamp<std::size_t>(query.limit, 1, 500);
    return database_.read([&](DatabaseConnection& sql) {
        Binds binds;
        std::string where = "WHERE a.deleted = 0";
        if (!query.cursor.empty()) where += " AND n.id < " + binds.add(query.cursor);
        if (!query.asset.empty()) where += " AND n.asset = " + binds.add(query.asset);
        if (!query.author.empty()) where += " AND n.author = " + binds.add(query.author);
        where += and_visible_asset("a.id");
        if (query.resolved) where += *query.resolved ? " AND n.resolved = 1" : " AND n.resolved = 0";
        NotePage page{
            fetch_notes(sql, fmt::format("{} ORDER BY n.id DESC LIMIT {}", where, limit + 1), binds)};
        if (page.items.size() > limit) {
            page.items.pop_back();
            page.next = page.items.back().id;
        }
        return Result<NotePage>(std::move(page));
    });
}

Result<Note> NoteTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) -> Result<Note> {
        auto note = find_note_row(sql, id);
        if (!note || !is_visible_asset(sql, note->asset)) return no_note(id);
        return std::move(*note);
    });
}

Result<Note> NoteTable::create(const Note& wanted)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Note> {
        auto asset = find_to_change(sql, wanted.asset, {});
        if (!asset) return std::unexpected(asset.error());
        if (asset->deleted != 0) return no_asset(wanted.asset);
        if (auto room = check_note_room(sql, wanted.asset); !room) return std::unexpected(room.error());
        const auto id = new_id("note");
        const long long instant = now(), version = wanted.version;
        const auto place = place_text(wanted.place);
        sql << "INSERT INTO notes (id, asset, version, author, author_name, text, place, resolved, created, "
               "updated, revision) VALUES (:id, :asset, :version, :author, :name, :text, :place, 0, "
               ":created, "
               ":updated, 1)",
            use(id), use(wanted.asset), use(version), use(wanted.author), use(wanted.author_name),
            use(wanted.text), use(place), use(instant), use(instant);
        record_words(sql, wanted.text, {});
        return publish_note(sql, id, "note.created");
    });
}

Result<Note> NoteTable::change(const std::string& id, const NoteChange& change, const std::string& editor)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Note> {
        auto note = find_note_to_change(sql, id, change.if_match);
        if (!note) return note;
        const auto text = change.text.value_or(note->text);
        if (text != note->text && !editor.empty() && editor != note->author)
            return make_error(Errc::conflict, "note_of_other", "the text of a note is changed by its author");
        const long long resolved = change.resolved.value_or(note->is_resolved) ? 1 : 0, instant = now();
        if (text == note->text && resolved == (note->is_resolved ? 1 : 0)) return note;
        sql << "UPDATE notes SET text = :text, resolved = :resolved, updated = :now, revision = revision + 1 "
               "WHERE id = :id",
            use(text), use(resolved), use(instant), use(id);
        record_words(sql, text, {});
        return publish_note(sql, id, "note.updated");
    });
}

Result<void> NoteTable::remove(const std::string& id, const std::string& if_match)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        auto note = find_note_to_change(sql, id, if_match);
        if (!note) return std::unexpected(note.error());
        sql << "DELETE FROM notes WHERE id = :id", use(id);
        index_notes(sql, note->asset);
        record_event(sql, "note.deleted",
                     api::to_text(boost::json::object{{"note", {{"id", id}, {"asset", note->asset}}}}));
        return {};
    });
}

} // namespace vitrine::server
