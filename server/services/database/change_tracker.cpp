#include "server/services/database/change_tracker.hpp"

#include <algorithm>
#include <array>

#include <soci/sqlite3/soci-sqlite3.h>

namespace vitrine::server {
namespace {

constexpr std::size_t max_tracked = 1024; // assets; a larger transaction counts as a change of all

// Tables whose rows no response about an asset shows.
bool is_private(std::string_view table)
{
    constexpr std::array<std::string_view, 4> names{"jobs", "idempotency", "migrations", "sqlite_sequence"};
    return table.starts_with("asset_search") || std::ranges::find(names, table) != names.end();
}

sqlite_api::sqlite3* handle_of(DatabaseConnection& connection)
{
    return static_cast<soci::sqlite3_session_backend*>(connection.get_backend())->conn_;
}

} // namespace

ChangeTracker::ChangeTracker(DatabaseConnection& writer, Generations& generations)
    : writer_(writer), generations_(generations)
{
    const auto hook = [](void* self, int operation, const char*, const char* table,
                         sqlite_api::sqlite3_int64 row) {
        static_cast<ChangeTracker*>(self)->note(operation, table, row);
    };
    sqlite_api::sqlite3_update_hook(handle_of(writer_), hook, this);
}

ChangeTracker::~ChangeTracker()
{
    sqlite_api::sqlite3_update_hook(handle_of(writer_), nullptr, nullptr);
}

void ChangeTracker::begin()
{
    assets_.clear();
    other_rows_ = all_ = false;
}

void ChangeTracker::note(int operation, std::string_view table, std::int64_t row)
{
    if (table == "assets" && operation != SQLITE_DELETE) {
        assets_.insert(row);
        if (assets_.size() <= max_tracked) return;
        all_ = true;
        assets_.clear();
    } else if (table == "assets") {
        all_ = true; // the row does not have its id any more
    } else if (!is_private(table)) {
        other_rows_ = true;
    }
}

// Returns the ids of the changed assets; empty: all.
std::optional<std::vector<std::string>> ChangeTracker::ids()
{
    if (all_ || (other_rows_ && assets_.empty())) return std::nullopt;
    std::vector<std::string> ids;
    for (const long long row : assets_) {
        writer_ << "SELECT id FROM assets WHERE seq = :row", soci::into(ids.emplace_back()), soci::use(row);
    }
    return ids;
}

Generations::Change ChangeTracker::changed()
{
    const auto found = ids();
    return found ? Generations::Change(generations_, *found) : Generations::Change::of_all(generations_);
}

} // namespace vitrine::server
