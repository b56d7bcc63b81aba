#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// What people say about assets. assets.tags: the tags of the asset as search text (asset_tags.cpp), a copy of
// its rows of asset_tags. A tag's key is its name with ASCII letters in lower case: `tags` has one spelling
// of each. Positions in a collection ascend, with gaps. `parent` and `cover`: ids; empty: none.
std::vector<std::string> tags_migration(const Dialect& dialect)
{
    const auto words = dialect.words();
    std::vector<std::string> statements;
    for (const char* column : {"tags", "license", "author", "source_url"})
        statements.push_back(
            fmt::format("ALTER TABLE assets ADD COLUMN {} TEXT NOT NULL DEFAULT ''", column));
    const auto key = words.ordered_text;
    for (auto& statement : std::vector<std::string>{
             fmt::format("CREATE TABLE tags (tag {} PRIMARY KEY, name TEXT NOT NULL)", key),
             fmt::format("CREATE TABLE asset_tags (tag {} NOT NULL, asset TEXT NOT NULL, "
                         "PRIMARY KEY (tag, asset))",
                         key),
             "CREATE INDEX asset_tags_by_asset ON asset_tags (asset, tag)",
             fmt::format(R"(CREATE TABLE collections (
            id {} PRIMARY KEY,
            name TEXT NOT NULL,
            name_key {} NOT NULL,
            description TEXT NOT NULL,
            parent TEXT NOT NULL,
            cover TEXT NOT NULL,
            created BIGINT NOT NULL,
            updated BIGINT NOT NULL,
            revision BIGINT NOT NULL))",
                         key, key),
             "CREATE UNIQUE INDEX collections_by_name ON collections (parent, name_key)",
             R"(CREATE TABLE collection_assets (
            collection TEXT NOT NULL,
            asset TEXT NOT NULL,
            position BIGINT NOT NULL,
            PRIMARY KEY (collection, asset)))",
             "CREATE INDEX collection_assets_by_position ON collection_assets (collection, position, asset)",
             "CREATE INDEX collection_assets_by_asset ON collection_assets (asset, collection)"})
        statements.push_back(std::move(statement));
    return statements;
}

} // namespace vitrine::server
