#pragma once
// The tags of a library: lists, and changes of a tag over all assets. Assets get and lose tags by
// Catalog::change_asset(). ASCII letters of tags are compared without case; the library has one spelling of
// each tag. Any thread, blocking. A write is durable when the call returns. Throws StorageError.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct LibraryTag {
    std::string name;
    std::uint64_t assets = 0; // without those in the trash
};

struct TagPage {
    std::vector<LibraryTag> items;
    std::string next{}; // empty on the last page
};

class TagTable {
public:
    // `database` outlives the object.
    explicit TagTable(DatabaseConnections& database) : database_(database) {}

    // Tags that begin with `prefix`, in the order of their bytes in lower case. `limit`: 1..1000. `cursor`:
    // TagPage::next. Errors: invalid (cursor).
    Result<TagPage> list(const std::string& prefix, std::size_t limit, const std::string& cursor) const;
    // All assets with the tag have `to` instead. `merge`: `to` may be another tag that exists, whose spelling
    // stays. In several transactions: after a StorageError some have it, and the same call with `merge`
    // continues. Errors: not_found ("no_tag"), conflict ("tag_exists").
    Result<LibraryTag> rename(const std::string& from, const std::string& to, bool merge);
    // No asset has the tag any more. Errors: not_found.
    Result<void> remove(const std::string& name);

private:
    DatabaseConnections& database_;
};

// Returns what is wrong with the name of a tag; empty if it is valid.
std::string tag_fault(std::string_view name);

} // namespace vitrine::server
