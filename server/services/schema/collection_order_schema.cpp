#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Those of one parent are in the order of their positions, and of their ids where these are equal; before,
// the page showed them in the order of their names.
std::vector<std::string> collection_order_migration()
{
    return {"ALTER TABLE collections ADD COLUMN position BIGINT NOT NULL DEFAULT 0",
            R"(UPDATE collections SET position = named.number FROM (
                SELECT id, ROW_NUMBER() OVER (PARTITION BY parent ORDER BY name_key, id) - 1 AS number
                FROM collections) AS named WHERE named.id = collections.id)",
            "CREATE INDEX collections_by_position ON collections (parent, position, id)"};
}

} // namespace vitrine::server
