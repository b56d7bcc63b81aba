#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// owner: to_text() of the principal whose favorite the asset is.
std::vector<std::string> favorites_migration(const Dialect& dialect)
{
    return {fmt::format(
                "CREATE TABLE favorites (owner {} NOT NULL, asset TEXT NOT NULL, created BIGINT NOT NULL, "
                "PRIMARY KEY (owner, asset))",
                dialect.words().ordered_text),
            "CREATE INDEX favorites_by_asset ON favorites (asset, owner)"};
}

} // namespace vitrine::server
