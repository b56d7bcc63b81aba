#pragma once
// Query parameters of lists of notes.

#include "server/routing/context.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/notes/note_table.hpp"

namespace vitrine::server {

// author, resolved, limit, cursor. `principal`: whom the author "me" means.
NoteQuery read_note_query(QueryReader& reader, const Principal& principal);

} // namespace vitrine::server
