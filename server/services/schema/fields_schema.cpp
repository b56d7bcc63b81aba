#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Custom fields of collections (services/organization). collection_fields.options: a JSON array.
// field_values.kind: the type of the field; text_key: of a text or choice, in lower case; number: of the
// other types (api/tags/field_keys.hpp); shown: 1: the asset is in the field's collection or below it.
// assets.field_values: a copy of what is shown, as the JSON of the asset has it; empty: nothing.
std::vector<std::string> fields_migration(const Dialect& dialect)
{
    const auto key = dialect.words().ordered_text;
    return {fmt::format(R"(CREATE TABLE collection_fields (
            id {} PRIMARY KEY,
            collection TEXT NOT NULL,
            name TEXT NOT NULL,
            name_key {} NOT NULL,
            type TEXT NOT NULL,
            description TEXT NOT NULL,
            unit TEXT NOT NULL,
            options TEXT NOT NULL,
            position BIGINT NOT NULL,
            created BIGINT NOT NULL,
            updated BIGINT NOT NULL,
            revision BIGINT NOT NULL))",
                        key, key),
            "CREATE UNIQUE INDEX collection_fields_by_name ON collection_fields (name_key, collection)",
            "CREATE INDEX collection_fields_by_position ON collection_fields (collection, position)",
            fmt::format(R"(CREATE TABLE field_values (
            asset TEXT NOT NULL,
            field TEXT NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            text_key {} NOT NULL,
            number BIGINT NOT NULL,
            shown BIGINT NOT NULL,
            PRIMARY KEY (asset, field)))",
                        key),
            "CREATE INDEX field_values_by_text ON field_values (field, text_key)",
            "CREATE INDEX field_values_by_number ON field_values (field, number)",
            "ALTER TABLE assets ADD COLUMN field_values TEXT NOT NULL DEFAULT ''"};
}

} // namespace vitrine::server
