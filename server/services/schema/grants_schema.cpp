#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Roles of users for collections. `role`: of parse_role(); `created_by`: to_text() of a principal.
std::vector<std::string> grants_migration()
{
    return {R"(CREATE TABLE collection_grants (
            collection TEXT NOT NULL,
            user_id TEXT NOT NULL,
            role TEXT NOT NULL,
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            PRIMARY KEY (collection, user_id)))",
            "CREATE INDEX collection_grants_by_user ON collection_grants (user_id, collection)"};
}

} // namespace vitrine::server
