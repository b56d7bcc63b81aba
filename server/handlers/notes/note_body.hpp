#pragma once
// Bodies of requests about notes.

#include <expected>
#include <optional>
#include <string>

#include "server/routing/body_members.hpp"
#include "server/services/notes/note_table.hpp"

namespace vitrine::server {

struct NoteBody {
    std::optional<std::string> text{};
    std::optional<bool> resolved{};   // only of a change
    std::optional<NotePlace> place{}; // only of a new note; the clip as the body names it
};

// `is_new`: of a new note, which needs a text.
std::expected<NoteBody, api::Problem> read_note_body(const boost::json::object& body, bool is_new);

} // namespace vitrine::server
