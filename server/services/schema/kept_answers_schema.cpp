#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Of deferred responses: the method of the request, and who has sent it (to_text() of the principal; empty:
// not known).
std::vector<std::string> kept_answers_migration()
{
    return {"ALTER TABLE response_jobs ADD COLUMN method TEXT NOT NULL DEFAULT 'GET'",
            "ALTER TABLE response_jobs ADD COLUMN principal TEXT NOT NULL DEFAULT ''"};
}

} // namespace vitrine::server
