#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// assets.cover: the text of server/services/catalog/cover.hpp.
std::vector<std::string> covers_migration()
{
    return {"ALTER TABLE assets ADD COLUMN cover TEXT NOT NULL DEFAULT ''"};
}

} // namespace vitrine::server
