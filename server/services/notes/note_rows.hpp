#pragma once
// Rows of notes, in transactions of the caller.

#include <optional>
#include <string>
#include <vector>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/database/binds.hpp"
#include "server/services/notes/note_table.hpp"

namespace vitrine::server {

// `rest`: the end of the SELECT, on a row `n` of notes and `a` of assets.
std::vector<Note> fetch_notes(DatabaseConnection& sql, const std::string& rest, Binds& binds);
std::optional<Note> find_note_row(DatabaseConnection& sql, const std::string& id);
// A place as stored; empty: none.
std::string place_text(const std::optional<NotePlace>& place);

} // namespace vitrine::server
