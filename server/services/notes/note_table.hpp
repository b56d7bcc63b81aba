#pragma once
// Notes on assets: what people say about a model, a moment of a clip, or a point of the surface. Any thread,
// blocking. A write is durable when the call returns, and is an event. Throws StorageError.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "server/services/database/database_connections.hpp"
#include "server/services/notes/surface_points.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_note_bytes = 4'000;

// Where a note was made.
struct NotePlace {
    std::string clip{}; // id; empty: the static pose
    double time = 0.0;  // seconds from the clip's start
    std::optional<SurfacePoint> point{};
    std::string topology{}; // of the mesh of the point: topology_of()
};

struct Note {
    std::string id{};
    std::string asset{};       // id
    std::string asset_name{};  // as it is now
    std::uint32_t version = 1; // of the asset, on which it was made
    std::string author{};      // to_text() of a principal
    std::string author_name{}; // for people; may be empty
    std::string text{};
    std::optional<NotePlace> place{}; // empty: the whole model
    bool is_resolved = false;
    std::int64_t created = 0; // microseconds since 1970
    std::int64_t updated = 0;
    std::int64_t revision = 1;

    std::string etag() const; // strong entity tag with quotes
};

struct NoteChange {
    std::optional<std::string> text{};
    std::optional<bool> resolved{};
    std::string if_match{}; // etag(); empty: any revision
};

struct NoteQuery {
    std::string asset{};            // id; empty: of all assets outside the trash
    std::string author{};           // to_text() of a principal; empty: any
    std::optional<bool> resolved{}; // empty: both
    std::size_t limit = 100;        // clamped to 1..500
    std::string cursor{};           // NotePage::next; empty: from the newest
};

struct NotePage {
    std::vector<Note> items;
    std::string next{}; // empty on the last page
};

class NoteTable {
public:
    static constexpr std::size_t max_notes = 10'000; // of one asset

    // `database` outlives the object.
    explicit NoteTable(DatabaseConnections& database) : database_(database) {}

    // The newest first. Errors: invalid (cursor).
    Result<NotePage> list(const NoteQuery& query) const;
    Result<Note> find(const std::string& id) const; // Errors: not_found ("no_note")
    // `wanted`: its asset, version, author, text and place. Errors: not_found (also in the trash), conflict
    // ("too_many_notes").
    Result<Note> create(const Note& wanted);
    // `editor`: who may change the text of this author's notes alone; empty: of all. Errors: not_found,
    // precondition_failed, conflict ("note_of_other").
    Result<Note> change(const std::string& id, const NoteChange& change, const std::string& editor);
    // Errors: not_found, precondition_failed.
    Result<void> remove(const std::string& id, const std::string& if_match);

private:
    DatabaseConnections& database_;
};

// Without what depends on a Scene: `place` as it was made.
boost::json::object to_json(const Note& note);
// Returns what is wrong with the text of a note; empty if it is valid.
std::string note_text_fault(std::string_view text);

} // namespace vitrine::server
