#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// Signatures of surfaces, rigs and motions (loaders/scene/similarity), of all versions. `kind`: mesh, rig or
// motion; `part`: of a motion the index of its clip. Signatures that are alike have a bucket in common, by
// which they are found: those of rigs have several, with the signature in the row whose part is `described`.
std::vector<std::string> similarity_migration()
{
    return {R"(CREATE TABLE similarity_keys (
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            kind TEXT NOT NULL,
            part BIGINT NOT NULL,
            bucket BIGINT NOT NULL,
            described BIGINT NOT NULL,
            signature TEXT NOT NULL,
            PRIMARY KEY (asset, version, kind, part)))",
            ("CREATE INDEX similarity_by_bucket ON similarity_keys (kind, bucket, asset, version, "
             "described)")};
}

} // namespace vitrine::server
