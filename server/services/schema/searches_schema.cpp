#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Saved searches; `query`: that of GET /v1/assets; `owner`: to_text() of a principal.
std::vector<std::string> searches_migration(const Dialect& dialect)
{
    return {fmt::format(R"(CREATE TABLE saved_searches (
            id {} PRIMARY KEY,
            name TEXT NOT NULL,
            query TEXT NOT NULL,
            owner TEXT NOT NULL,
            shared BIGINT NOT NULL,
            created BIGINT NOT NULL,
            updated BIGINT NOT NULL,
            revision BIGINT NOT NULL))",
                        dialect.words().ordered_text),
            "CREATE INDEX saved_searches_by_owner ON saved_searches (owner, id)"};
}

} // namespace vitrine::server
