#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Groups of the users of an identity provider, as they were at the last sign-in, and roles of groups for
// collections. `issuer`: of the provider; `role`: of parse_role(); `created_by`: to_text() of a principal.
std::vector<std::string> group_grants_migration()
{
    return {R"(CREATE TABLE user_groups (
            user_id TEXT NOT NULL,
            group_name TEXT NOT NULL,
            PRIMARY KEY (user_id, group_name)))",
            R"(CREATE TABLE group_grants (
            collection TEXT NOT NULL,
            issuer TEXT NOT NULL,
            group_name TEXT NOT NULL,
            role TEXT NOT NULL,
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            PRIMARY KEY (collection, issuer, group_name)))"};
}

} // namespace vitrine::server
