#pragma once
// The keys that sign URLs, shared by the processes of a catalog. Any thread, blocking. Throws StorageError.

#include <vector>

#include "server/access/signed_url.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

class UrlKeyTable {
public:
    static constexpr Micros max_lifetime = 90ll * 24 * 3600 * 1'000'000; // of a URL
    static constexpr Micros rotation = 30ll * 24 * 3600 * 1'000'000;     // age of a key that signs no more

    // `database` outlives the table.
    explicit UrlKeyTable(DatabaseConnections& database) : database_(database) {}

    // The newest key; a new one if none is young enough. Removes those of which no URL is valid any more.
    UrlKey signing_key() const;
    std::vector<UrlKey> list() const;
    // All URLs that were signed end.
    void remove_all() const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
