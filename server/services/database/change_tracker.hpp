#pragma once
// Finds out which assets a transaction has changed, from SQLite itself, so that no write can forget to say
// so. Every write of an asset's rows (versions, files, documents) must also change its row in `assets`, as it
// does by the revision; a transaction that changes only other rows counts as a change of every asset.
// Used by the guarded writer.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/database_connection.hpp"
#include "server/util/generations.hpp"

namespace vitrine::server {

class ChangeTracker {
public:
    // Keeps references to both.
    ChangeTracker(DatabaseConnection& writer, Generations& generations);
    ~ChangeTracker();
    ChangeTracker(const ChangeTracker&) = delete;
    ChangeTracker& operator=(const ChangeTracker&) = delete;

    void begin(); // of a transaction
    // Call just before the commit, and keep the result until it has ended.
    Generations::Change changed();

private:
    void note(int operation, std::string_view table, std::int64_t row);
    std::optional<std::vector<std::string>> ids();

    DatabaseConnection& writer_;
    Generations& generations_;
    std::set<std::int64_t> assets_; // rows of `assets`
    bool other_rows_ = false;
    bool all_ = false;
};

} // namespace vitrine::server
