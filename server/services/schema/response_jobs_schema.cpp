#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Responses that are made later (services/response_jobs). `owner`: the process that makes it; `problem`:
// JSON.
std::vector<std::string> response_jobs_migration(const Dialect& dialect)
{
    return {fmt::format(R"(CREATE TABLE response_jobs (
            id {} PRIMARY KEY,
            target TEXT NOT NULL,
            state TEXT NOT NULL,
            owner TEXT NOT NULL,
            created BIGINT NOT NULL,
            started BIGINT NOT NULL DEFAULT 0,
            finished BIGINT NOT NULL DEFAULT 0,
            problem TEXT NOT NULL DEFAULT ''))",
                        dialect.words().ordered_text),
            "CREATE INDEX response_jobs_by_created ON response_jobs (created)"};
}

} // namespace vitrine::server
