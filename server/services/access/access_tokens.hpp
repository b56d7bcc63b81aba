#pragma once
// The access tokens, sessions, share links and keys of signed URLs as this process knows them: all of them in
// memory, so that a request never waits for the database. What another process changes is known when its
// signal arrives, and at the latest after an interval, in which the revision in the database is compared; as
// long as the database cannot be read, what was known before holds. Any thread.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "server/access/token_lookup.hpp"
#include "server/services/access/grant_table.hpp"
#include "server/services/access/group_grant_table.hpp"
#include "server/services/access/link_table.hpp"
#include "server/services/access/session_table.hpp"
#include "server/services/access/token_table.hpp"
#include "server/services/access/url_key_table.hpp"
#include "server/services/database/signals.hpp"

namespace vitrine::server {

class AccessTokens final : public TokenLookup {
public:
    struct Times {
        std::chrono::milliseconds interval{1000}; // between two looks at the revision
        std::chrono::seconds use_step{300};       // resolution of the times of use
        // After which all is read again, to learn which sessions other processes have used.
        std::chrono::seconds refresh{600};
        SessionTimes sessions{};
    };

    // Reads all tokens. `database` outlives it. Throws StorageError.
    explicit AccessTokens(DatabaseConnections& database) : AccessTokens(database, Times{}) {}
    AccessTokens(DatabaseConnections& database, const Times& times);
    ~AccessTokens() override;

    void start(); // begins to look for changes
    void stop();  // waits for a look in progress, at most five seconds

    SharedPrincipal find_token(const TokenDigest& digest) const override;
    SharedPrincipal find_cookie(const TokenDigest& digest) const override;
    SharedPrincipal find_session(const TokenDigest& digest) const override;
    SharedPrincipal find_link(const TokenDigest& digest) const override;
    SharedPrincipal find_link_cookie(const TokenDigest& digest) const override;
    std::optional<std::string> find_url_key(std::string_view id) const override;

    // As TokenTable's. The change holds in this process when they return. Blocking; throw StorageError.
    Result<CreatedAccessToken> create(NewAccessToken wanted);
    Result<void> remove(const std::string& id);
    std::vector<AccessToken> list() const;

    // As LinkTable's and UrlKeyTable's; changes hold in this process when they return.
    Result<CreatedShareLink> create_link(NewShareLink wanted);
    Result<void> remove_link(const std::string& id);
    // By its secret, whether it has a password or not. Empty: there is none, or it has expired.
    std::shared_ptr<const ShareLink> find_share_link(std::string_view secret) const;
    const LinkTable& links() const { return links_; }
    // As GrantTable's and GroupGrantTable's; changes hold in this process when they return.
    Result<UserGrant> put_grant(const NewUserGrant& wanted);
    Result<void> remove_grant(const std::string& collection, const std::string& user);
    const GrantTable& grants() const { return grants_; }
    Result<GroupGrant> put_group_grant(const NewGroupGrant& wanted);
    Result<void> remove_group_grant(const std::string& collection, const GroupName& name);
    const GroupGrantTable& group_grants() const { return group_grants_; }
    UrlKey signing_key();
    void remove_url_keys();

    // After a change of users or sessions, which holds in this process when it returns. Blocking; throws
    // StorageError.
    void reload();
    const SessionTable& sessions() const { return sessions_; }

private:
    struct Snapshot;
    struct Use;
    struct Entry;

    using Map = std::unordered_map<TokenDigest, std::shared_ptr<const Entry>, TokenDigestHash>;
    SharedPrincipal find(const TokenDigest& digest, Map Snapshot::* map) const;
    void look();
    void record_uses();

    DatabaseConnections& database_;
    TokenTable table_;
    SessionTable sessions_;
    LinkTable links_;
    UrlKeyTable url_keys_;
    GrantTable grants_;
    GroupGrantTable group_grants_;
    const Times times_;
    std::mutex reload_; // of one reload at a time
    std::string revision_;
    Micros reloaded_ = 0;
    std::atomic<std::shared_ptr<const Snapshot>> snapshot_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool has_signal_ = false;
    bool failed_ = false; // the last look, of the thread
    std::unique_ptr<Signals::Subscription> subscription_;
    std::jthread thread_;
};

} // namespace vitrine::server
