#pragma once
// The table of share links. The database has digests of their secrets. Any thread, blocking. Throws
// StorageError.

#include <string>
#include <string_view>
#include <vector>

#include "server/access/access_token.hpp"
#include "server/access/principal.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct NewShareLink {
    std::string name{}; // as token_name_fault() allows; need not be unique
    LinkScope scope{};
    std::string password_hash{}; // of hash_password(); empty: none
    Micros expires = 0;          // 0: never
    std::string created_by{};    // to_text() of a principal
};

struct ShareLink : NewShareLink {
    std::string id{}; // "share_..."
    Micros created = 0;
    Micros last_used = 0; // late by minutes; 0: not yet
    long long uses = 0;   // how often a browser has opened it
};

struct StoredShareLink {
    ShareLink link;
    TokenDigest digest{}; // of the secret
    TokenDigest cookie{}; // of its link_cookie_value()
};

struct CreatedShareLink {
    ShareLink link;
    std::string secret; // which nobody can find again
};

// Returns what a browser keeps that has opened the link. Who has the secret of a link with a password cannot
// compute it, because the hash has a random salt.
std::string link_cookie_value(std::string_view secret, std::string_view password_hash);

class LinkTable {
public:
    static constexpr long long max_links = 1000; // unexpired ones

    // `database` outlives the table.
    explicit LinkTable(DatabaseConnections& database) : database_(database) {}

    // Errors: not_found: the asset does not exist or is in the trash; `no_collection`; conflict
    // `too_many_links`. Removes links that have expired a month ago.
    Result<CreatedShareLink> create(NewShareLink wanted) const;
    // Errors: not_found `no_share_link`.
    Result<ShareLink> find(const std::string& id) const;
    Result<void> remove(const std::string& id) const;
    // The newest first.
    std::vector<StoredShareLink> list() const;
    // Stores the time unless one is stored that is later. May be lost by a power failure, as
    // record_opening().
    void record_use(const std::string& id, Micros used) const;
    void record_opening(const std::string& id) const;

    // Whether the scope has the asset, which may be in the trash, or the collection, now.
    bool has_asset(const LinkScope& scope, const std::string& asset) const;
    bool has_collection(const LinkScope& scope, const std::string& collection) const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
