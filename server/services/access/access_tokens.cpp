#include "server/services/access/access_tokens.hpp"

#include <unordered_map>
#include <utility>

#include <spdlog/spdlog.h>

#include "server/services/database/database_connections.hpp"

namespace vitrine::server {

using std::chrono::microseconds;

// When a token was used. Outlives snapshots, and belongs to all of them that have the token.
struct AccessTokens::Use {
    std::atomic<Micros> last = 0;
    Micros stored = 0; // of the thread
};

struct AccessTokens::Snapshot {
    struct Entry {
        Principal principal;
        std::shared_ptr<Use> use;
    };
    using Map = std::unordered_map<TokenDigest, std::shared_ptr<const Entry>, TokenDigestHash>;
    Map by_token, by_cookie;
    std::unordered_map<std::string, std::shared_ptr<Use>> uses; // by id
};

AccessTokens::AccessTokens(DatabaseConnections& database, const Times& times)
    : table_(database), times_(times)
{
    reload();
    subscription_ = database.signals().subscribe(TokenTable::topic, [this](std::string_view) {
        {
            const std::lock_guard lock(mutex_);
            has_signal_ = true;
        }
        changed_.notify_one();
    });
}

AccessTokens::~AccessTokens()
{
    stop();
}

void AccessTokens::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) {
        const StatementLimit limit(std::chrono::seconds(5));
        while (!stop.stop_requested()) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait_for(lock, stop, times_.interval, [&] { return has_signal_; });
                has_signal_ = false;
            }
            if (!stop.stop_requested()) look();
        }
    });
}

void AccessTokens::stop()
{
    thread_ = {};
}

void AccessTokens::look()
{
    try {
        bool is_known = false;
        {
            const std::lock_guard lock(reload_);
            is_known = table_.revision() == revision_;
        }
        if (!is_known) reload();
        record_uses();
        failed_ = false;
    } catch (const std::exception& error) {
        if (!std::exchange(failed_, true))
            spdlog::error("msg=\"changes of access tokens are not known\" error={:?}",
                          std::string_view(error.what()));
    }
}

// The revision is read first: a change after it has another one, and is seen by the next look.
void AccessTokens::reload()
{
    const std::lock_guard lock(reload_);
    auto revision = table_.revision();
    const auto before = snapshot_.load();
    auto made = std::make_shared<Snapshot>();
    for (auto& [token, digest, cookie] : table_.list()) {
        std::shared_ptr<Use> use;
        if (before)
            if (const auto known = before->uses.find(token.id); known != before->uses.end())
                use = known->second;
        if (!use) {
            use = std::make_shared<Use>();
            use->stored = token.last_used;
        }
        const auto entry =
            std::make_shared<const Snapshot::Entry>(Snapshot::Entry{{.kind = Principal::Kind::token,
                                                                     .name = token.name,
                                                                     .role = token.role,
                                                                     .id = token.id,
                                                                     .expires = token.expires},
                                                                    use});
        made->by_token.emplace(digest, entry);
        made->by_cookie.emplace(cookie, entry);
        made->uses.emplace(token.id, std::move(use));
    }
    snapshot_.store(std::move(made));
    revision_ = std::move(revision);
}

void AccessTokens::record_uses()
{
    const auto step = microseconds(times_.use_step).count();
    for (const auto& [id, use] : snapshot_.load()->uses) {
        const auto last = use->last.load();
        if (last - use->stored < step) continue;
        table_.record_use(id, last);
        use->stored = last;
    }
}

// The digest was computed from what the request has: how long the map takes reveals nothing that helps to
// find a token with another digest.
std::optional<Principal> AccessTokens::find(const TokenDigest& digest, bool by_cookie) const
{
    const auto snapshot = snapshot_.load();
    const auto& map = by_cookie ? snapshot->by_cookie : snapshot->by_token;
    const auto found = map.find(digest);
    if (found == map.end()) return std::nullopt;
    const auto& [principal, use] = *found->second;
    const auto time = now();
    if (principal.expires != 0 && principal.expires <= time) return std::nullopt;
    if (time - use->last.load(std::memory_order_relaxed) > 1'000'000)
        use->last.store(time, std::memory_order_relaxed);
    return principal;
}

std::optional<Principal> AccessTokens::find_token(const TokenDigest& digest) const
{
    return find(digest, false);
}

std::optional<Principal> AccessTokens::find_cookie(const TokenDigest& digest) const
{
    return find(digest, true);
}

Result<CreatedAccessToken> AccessTokens::create(NewAccessToken wanted)
{
    auto made = table_.create(std::move(wanted));
    if (made) reload();
    return made;
}

Result<void> AccessTokens::remove(const std::string& id)
{
    auto removed = table_.remove(id);
    if (removed) reload();
    return removed;
}

std::vector<AccessToken> AccessTokens::list() const
{
    std::vector<AccessToken> tokens;
    for (auto& stored : table_.list())
        tokens.push_back(std::move(stored.token));
    return tokens;
}

} // namespace vitrine::server
