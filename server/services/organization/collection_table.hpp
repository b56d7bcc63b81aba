#pragma once
// Collections of assets: nested, each with members in an order that people choose. Any thread, blocking. A
// write is durable when the call returns. Throws StorageError.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "server/services/catalog/records.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct Collection {
    std::string id;
    std::string name; // unique among those of one parent, ASCII letters without case
    std::string description;
    std::string parent;       // id; empty: at the top
    std::string cover;        // id of an asset; empty: none
    std::uint64_t assets = 0; // members, without those in the trash and in collections below
    std::int64_t created = 0; // microseconds since 1970
    std::int64_t updated = 0;
    std::int64_t revision = 1;

    std::string etag() const; // strong entity tag with quotes
};

struct CollectionChange {
    std::optional<std::string> name{}, description{}, parent{}, cover{};
    std::optional<std::uint64_t> position{}; // it follows so many of the others with its parent,
    SharedVisibility counted{};              // of which these count
    std::string if_match{};                  // etag(); empty: any revision
};

struct CollectionQuery {
    std::optional<std::string> parent{}; // only those directly below it; empty text: at the top
    std::string asset{};                 // only those with this member; empty: all
    std::size_t limit = 100;             // clamped to 1..1000
    std::string cursor{};
};

struct CollectionPage {
    std::vector<Collection> items;
    std::string next{}; // empty on the last page
};

// A member and its place: members are counted from 0, those in the trash too.
struct CollectionMember {
    std::uint64_t position = 0;
    AssetRecord asset;
};

struct MemberPage {
    std::vector<CollectionMember> items;
    std::string next{};
};

// What is done to the members.
struct MemberChange {
    std::vector<std::string> assets;         // ids
    std::optional<std::uint64_t> position{}; // of the first one; empty: at the end, and known members stay
    std::string if_match{};
};

class CollectionTable {
public:
    static constexpr std::size_t max_depth = 16; // a collection at the top has depth 1
    static constexpr std::size_t max_collections = 10'000;
    static constexpr std::size_t max_members = 100'000; // of one collection

    // `database` outlives the object.
    explicit CollectionTable(DatabaseConnections& database) : database_(database) {}

    // Those of one parent in their order: that of creation until people change it; a collection that moves to
    // another parent becomes the last one there. Errors: invalid (cursor).
    Result<CollectionPage> list(const CollectionQuery& query) const;
    Result<Collection> find(const std::string& id) const; // Errors: not_found ("no_collection")
    // Errors: not_found (parent), conflict ("collection_exists", "too_many_collections"), invalid
    // ("too_deep").
    Result<Collection> create(const Collection& wanted);
    // Errors: also precondition_failed, invalid ("collection_cycle": below itself), not_found (cover).
    Result<Collection> change(const std::string& id, const CollectionChange& change);
    // Errors: not_found, precondition_failed, conflict ("collection_not_empty": there are collections below
    // it, and not `with_descendants`).
    Result<void> remove(const std::string& id, const std::string& if_match, bool with_descendants);

    // Without assets in the trash. Errors: not_found, invalid (cursor).
    Result<MemberPage> members(const std::string& id, std::size_t limit, const std::string& cursor) const;
    // Each returns the collection after the change. Errors: not_found (also "no_asset" and "asset_in_trash",
    // with nothing changed), precondition_failed, too_large (max_members).
    Result<Collection> insert_members(const std::string& id, const MemberChange& change);
    // In this order; members in the trash follow them.
    Result<Collection> replace_members(const std::string& id, const MemberChange& change);
    Result<Collection> remove_members(const std::string& id, const MemberChange& change);

private:
    DatabaseConnections& database_;
};

boost::json::object to_json(const Collection& collection);
// Returns what is wrong with the name of a collection; empty if it is valid.
std::string collection_name_fault(std::string_view name);
inline constexpr std::size_t max_description_bytes = 4096;

} // namespace vitrine::server
