#include "server/services/access/access_tokens.hpp"

#include <unordered_map>
#include <utility>

#include <spdlog/spdlog.h>

#include "server/services/access/access_revision.hpp"
#include "server/services/database/database_connections.hpp"

namespace vitrine::server {

using std::chrono::microseconds;

// When a token or a session was used. Outlives snapshots, and belongs to all of them that have it.
struct AccessTokens::Use {
    std::atomic<Micros> last = 0;
    Micros stored = 0; // of the thread
};

struct AccessTokens::Entry {
    Principal principal;
    std::shared_ptr<Use> use;
    Micros max_idle = 0; // 0: any time
};

struct AccessTokens::Snapshot {
    Map by_token, by_cookie, by_session;
    std::unordered_map<std::string, std::shared_ptr<Use>> token_uses, session_uses; // by id

    void add(const StoredAccessToken& token, const Snapshot* before);
    void add(const ActiveSession& active, Micros max_idle, const Snapshot* before);
};

AccessTokens::AccessTokens(DatabaseConnections& database, const Times& times)
    : database_(database), table_(database), sessions_(database, times.sessions), times_(times)
{
    reload();
    subscription_ = database.signals().subscribe(access_topic, [this](std::string_view) {
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
            is_known = access_revision(database_) == revision_ &&
                       now() - reloaded_ < microseconds(times_.refresh).count();
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

void AccessTokens::Snapshot::add(const StoredAccessToken& stored, const Snapshot* before)
{
    const auto& token = stored.token;
    auto use = before && before->token_uses.contains(token.id) ? before->token_uses.at(token.id) : nullptr;
    if (!use) {
        use = std::make_shared<Use>();
        use->stored = token.last_used;
    }
    const auto entry = std::make_shared<const Entry>(Entry{{.kind = Principal::Kind::token,
                                                            .name = token.name,
                                                            .role = token.role,
                                                            .id = token.id,
                                                            .expires = token.expires},
                                                           use});
    by_token.emplace(stored.digest, entry);
    by_cookie.emplace(stored.cookie, entry);
    token_uses.emplace(token.id, std::move(use));
}

void AccessTokens::Snapshot::add(const ActiveSession& active, Micros max_idle, const Snapshot* before)
{
    const auto& session = active.session;
    auto use =
        before && before->session_uses.contains(session.id) ? before->session_uses.at(session.id) : nullptr;
    if (!use) {
        use = std::make_shared<Use>();
        use->stored = session.last_used;
    }
    auto last = use->last.load(); // another process may have stored a later one
    while (last < session.last_used && !use->last.compare_exchange_weak(last, session.last_used))
        ;
    by_session.emplace(active.digest, std::make_shared<const Entry>(Entry{{.kind = Principal::Kind::user,
                                                                           .name = active.user_name,
                                                                           .role = active.role,
                                                                           .id = session.user,
                                                                           .expires = session.expires,
                                                                           .session = session.id},
                                                                          use,
                                                                          max_idle}));
    session_uses.emplace(session.id, std::move(use));
}

// The revision is read first: a change after it has another one, and is seen by the next look.
void AccessTokens::reload()
{
    const std::lock_guard lock(reload_);
    auto revision = access_revision(database_);
    const auto before = snapshot_.load();
    auto made = std::make_shared<Snapshot>();
    for (const auto& token : table_.list())
        made->add(token, before.get());
    for (const auto& active : sessions_.list_active())
        made->add(active, times_.sessions.idle, before.get());
    snapshot_.store(std::move(made));
    revision_ = std::move(revision);
    reloaded_ = now();
}

void AccessTokens::record_uses()
{
    const auto step = microseconds(times_.use_step).count();
    const auto record = [step](const auto& uses, const auto& table) {
        for (const auto& [id, use] : uses) {
            const auto last = use->last.load();
            if (last - use->stored < step) continue;
            table.record_use(id, last);
            use->stored = last;
        }
    };
    const auto snapshot = snapshot_.load();
    record(snapshot->token_uses, table_);
    record(snapshot->session_uses, sessions_);
}

// The digest was computed from what the request has: how long the map takes reveals nothing that helps to
// find a token with another digest.
std::optional<Principal> AccessTokens::find(const TokenDigest& digest, Map Snapshot::* member) const
{
    const auto snapshot = snapshot_.load();
    const auto& map = (*snapshot).*member;
    const auto found = map.find(digest);
    if (found == map.end()) return std::nullopt;
    const auto& [principal, use, max_idle] = *found->second;
    const auto time = now();
    if (principal.expires != 0 && principal.expires <= time) return std::nullopt;
    if (max_idle != 0 && time - use->last.load(std::memory_order_relaxed) >= max_idle) return std::nullopt;
    if (time - use->last.load(std::memory_order_relaxed) > 1'000'000)
        use->last.store(time, std::memory_order_relaxed);
    return principal;
}

std::optional<Principal> AccessTokens::find_token(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_token);
}

std::optional<Principal> AccessTokens::find_cookie(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_cookie);
}

std::optional<Principal> AccessTokens::find_session(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_session);
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
