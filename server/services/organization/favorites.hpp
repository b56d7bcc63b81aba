#pragma once
// Favorites: assets that a principal (server/access) has marked for itself. Any thread, blocking. A write is
// durable when the call returns. Throws StorageError.

#include <string>
#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_favorites = 10'000; // of one principal

// `owner`: to_text() of the principal.
class FavoriteTable {
public:
    // `database` outlives the object.
    explicit FavoriteTable(DatabaseConnections& database) : database_(database) {}

    // Does nothing if it is one. Errors: not_found ("no_asset", "asset_in_trash"), conflict
    // ("too_many_favorites").
    Result<void> add(const std::string& owner, const std::string& asset);
    // Does nothing if it is none.
    void remove(const std::string& owner, const std::string& asset);
    // Ids of those outside the trash, the newest favorites first.
    std::vector<std::string> list(const std::string& owner) const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
