#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Notes on assets (services/notes). `author`: to_text() of a principal; `version`: on which it was made;
// `place`: JSON; empty: none.
std::vector<std::string> notes_migration(const Dialect& dialect)
{
    return {fmt::format(R"(CREATE TABLE notes (
            id {} PRIMARY KEY,
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            author TEXT NOT NULL,
            author_name TEXT NOT NULL,
            text TEXT NOT NULL,
            place TEXT NOT NULL,
            resolved BIGINT NOT NULL,
            created BIGINT NOT NULL,
            updated BIGINT NOT NULL,
            revision BIGINT NOT NULL))",
                        dialect.words().ordered_text),
            "CREATE INDEX notes_by_asset ON notes (asset, id)",
            "CREATE INDEX notes_by_author ON notes (author, id)"};
}

} // namespace vitrine::server
