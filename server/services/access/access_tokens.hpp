#pragma once
// The access tokens as this process knows them: all of them in memory, so that a request never waits for the
// database. What another process changes is known when its signal arrives, and at the latest after an
// interval, in which the revision in the database is compared; as long as the database cannot be read, what
// was known before holds. Any thread.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/access/token_lookup.hpp"
#include "server/services/access/token_table.hpp"
#include "server/services/database/signals.hpp"

namespace vitrine::server {

class AccessTokens final : public TokenLookup {
public:
    struct Times {
        std::chrono::milliseconds interval{1000}; // between two looks at the revision
        std::chrono::seconds use_step{300};       // resolution of AccessToken::last_used
    };

    // Reads all tokens. `database` outlives it. Throws StorageError.
    explicit AccessTokens(DatabaseConnections& database) : AccessTokens(database, Times{}) {}
    AccessTokens(DatabaseConnections& database, const Times& times);
    ~AccessTokens() override;

    void start(); // begins to look for changes
    void stop();  // waits for a look in progress, at most five seconds

    std::optional<Principal> find_token(const TokenDigest& digest) const override;
    std::optional<Principal> find_cookie(const TokenDigest& digest) const override;

    // As TokenTable's. The change holds in this process when they return. Blocking; throw StorageError.
    Result<CreatedAccessToken> create(NewAccessToken wanted);
    Result<void> remove(const std::string& id);
    std::vector<AccessToken> list() const;

private:
    struct Snapshot;
    struct Use;

    std::optional<Principal> find(const TokenDigest& digest, bool by_cookie) const;
    void reload();
    void look();
    void record_uses();

    TokenTable table_;
    const Times times_;
    std::mutex reload_; // of one reload at a time
    std::string revision_;
    std::atomic<std::shared_ptr<const Snapshot>> snapshot_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool has_signal_ = false;
    bool failed_ = false; // the last look, of the thread
    std::unique_ptr<Signals::Subscription> subscription_;
    std::jthread thread_;
};

} // namespace vitrine::server
