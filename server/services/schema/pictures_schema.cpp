#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Vectors of the thumbnails of versions (services/pictures). `model`: what has made it; `code` and `vector`:
// base64; empty: the picture shows nothing. Searches read the codes from the second index.
std::vector<std::string> pictures_migration(const Dialect& dialect)
{
    return {fmt::format(R"(CREATE TABLE picture_vectors (
            seq {},
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            model TEXT NOT NULL,
            code TEXT NOT NULL,
            vector TEXT NOT NULL,
            UNIQUE (asset, version, model)))",
                        dialect.words().identity),
            "CREATE INDEX picture_vectors_by_model ON picture_vectors (model, seq, code)"};
}

} // namespace vitrine::server
