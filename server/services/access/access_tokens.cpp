#include "server/services/access/access_tokens.hpp"

#include <algorithm>
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
    Map by_token, by_cookie, by_session, by_link, by_link_cookie;
    std::unordered_map<std::string, std::shared_ptr<Use>> token_uses, session_uses, link_uses; // by id
    std::unordered_map<std::string, std::string> url_keys;
    std::unordered_map<TokenDigest, std::shared_ptr<const ShareLink>, TokenDigestHash> links; // by secret
    std::unordered_map<std::string, std::shared_ptr<const CollectionGrants>> grants;          // by user

    void add(const StoredAccessToken& token, const Snapshot* before);
    void add(const ActiveSession& active, Micros max_idle, const Snapshot* before);
    void add(const StoredShareLink& stored, const Snapshot* before);
    // Null: none. Each role is at most `highest`.
    std::shared_ptr<const CollectionGrants> grants_of(const std::string& user, Role highest) const;
};

AccessTokens::AccessTokens(DatabaseConnections& database, const Times& times)
    : database_(database), table_(database), sessions_(database, times.sessions), links_(database),
      url_keys_(database), grants_(database), group_grants_(database), times_(times)
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
    if (stored.allowed == Role::none) return;
    const auto& token = stored.token;
    auto use = before && before->token_uses.contains(token.id) ? before->token_uses.at(token.id) : nullptr;
    if (!use) {
        use = std::make_shared<Use>();
        use->stored = token.last_used;
    }
    const auto entry = std::make_shared<const Entry>(Entry{{.kind = Principal::Kind::token,
                                                            .name = token.name,
                                                            .role = stored.allowed,
                                                            .id = token.id,
                                                            .expires = token.expires,
                                                            .owner = token.owner,
                                                            .grants = grants_of(token.owner, token.role)},
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
    by_session.emplace(active.digest,
                       std::make_shared<const Entry>(Entry{{.kind = Principal::Kind::user,
                                                            .name = active.user_name,
                                                            .role = active.role,
                                                            .id = session.user,
                                                            .expires = session.expires,
                                                            .session = session.id,
                                                            .grants = grants_of(session.user, Role::admin)},
                                                           use,
                                                           max_idle}));
    session_uses.emplace(session.id, std::move(use));
}

std::shared_ptr<const CollectionGrants> AccessTokens::Snapshot::grants_of(const std::string& user,
                                                                          Role highest) const
{
    const auto found = grants.find(user);
    if (found == grants.end() || highest == Role::admin)
        return found == grants.end() ? nullptr : found->second;
    auto lowered = *found->second;
    for (auto& grant : lowered)
        grant.role = std::min(grant.role, highest);
    return std::make_shared<const CollectionGrants>(std::move(lowered));
}

// The secret of a link with a password opens nothing by itself.
void AccessTokens::Snapshot::add(const StoredShareLink& stored, const Snapshot* before)
{
    const auto& link = stored.link;
    auto use = before && before->link_uses.contains(link.id) ? before->link_uses.at(link.id) : nullptr;
    if (!use) {
        use = std::make_shared<Use>();
        use->stored = link.last_used;
    }
    const auto entry =
        std::make_shared<const Entry>(Entry{{.kind = Principal::Kind::link,
                                             .name = link.name,
                                             .role = Role::link,
                                             .id = link.id,
                                             .expires = link.expires,
                                             .scope = std::make_shared<const LinkScope>(link.scope)},
                                            use});
    if (link.password_hash.empty()) by_link.emplace(stored.digest, entry);
    by_link_cookie.emplace(stored.cookie, entry);
    link_uses.emplace(link.id, std::move(use));
    links.emplace(stored.digest, std::make_shared<const ShareLink>(link));
}

// The revision is read first: a change after it has another one, and is seen by the next look.
void AccessTokens::reload()
{
    const std::lock_guard lock(reload_);
    auto revision = access_revision(database_);
    const auto before = snapshot_.load();
    auto made = std::make_shared<Snapshot>();
    made->grants = grants_.by_user();
    for (const auto& token : table_.list())
        made->add(token, before.get());
    for (const auto& active : sessions_.list_active())
        made->add(active, times_.sessions.idle, before.get());
    for (const auto& link : links_.list())
        made->add(link, before.get());
    for (auto& key : url_keys_.list())
        made->url_keys.emplace(std::move(key.id), std::move(key.secret));
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
    record(snapshot->link_uses, links_);
}

// The digest was computed from what the request has: how long the map takes reveals nothing that helps to
// find a token with another digest.
SharedPrincipal AccessTokens::find(const TokenDigest& digest, Map Snapshot::* member) const
{
    const auto snapshot = snapshot_.load();
    const auto& map = (*snapshot).*member;
    const auto found = map.find(digest);
    if (found == map.end()) return nullptr;
    const auto& [principal, use, max_idle] = *found->second;
    const auto time = now();
    if (principal.expires != 0 && principal.expires <= time) return nullptr;
    if (max_idle != 0 && time - use->last.load(std::memory_order_relaxed) >= max_idle) return nullptr;
    if (time - use->last.load(std::memory_order_relaxed) > 1'000'000)
        use->last.store(time, std::memory_order_relaxed);
    return {found->second, &principal};
}

SharedPrincipal AccessTokens::find_token(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_token);
}

SharedPrincipal AccessTokens::find_cookie(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_cookie);
}

SharedPrincipal AccessTokens::find_session(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_session);
}

SharedPrincipal AccessTokens::find_link(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_link);
}

SharedPrincipal AccessTokens::find_link_cookie(const TokenDigest& digest) const
{
    return find(digest, &Snapshot::by_link_cookie);
}

std::optional<std::string> AccessTokens::find_url_key(std::string_view id) const
{
    const auto snapshot = snapshot_.load();
    const auto found = snapshot->url_keys.find(std::string(id));
    return found == snapshot->url_keys.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const ShareLink> AccessTokens::find_share_link(std::string_view secret) const
{
    const auto snapshot = snapshot_.load();
    const auto found = snapshot->links.find(digest_of(secret));
    if (found == snapshot->links.end()) return nullptr;
    const auto expires = found->second->expires;
    return expires != 0 && expires <= now() ? nullptr : found->second;
}

} // namespace vitrine::server
