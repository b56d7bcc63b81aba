#include "server/services/access/accounts.hpp"

#include <utility>

#include "server/services/audit/audit_log.hpp"

namespace vitrine::server {

Result<User> Accounts::create_user(NewUser wanted, const std::optional<std::string>& password)
{
    if (password) wanted.password_hash = hash_password(*password, cost_);
    auto made = users_.create(std::move(wanted));
    if (made) tokens_.reload();
    return made;
}

Result<User> Accounts::change_user(const std::string& id, UserChange change,
                                   const std::optional<std::string>& password)
{
    if (password) change.password_hash = hash_password(*password, cost_);
    auto changed = users_.change(id, change);
    if (changed) tokens_.reload();
    return changed;
}

Result<void> Accounts::remove_user(const std::string& id)
{
    auto removed = users_.remove(id);
    if (removed) tokens_.reload();
    return removed;
}

// The hash is computed in each case, so that its time says nothing about the user.
std::expected<void, SignInRejection> Accounts::check(const SignInAttempt& attempt,
                                                     const std::optional<User>& user)
{
    auto counted = throttle_.begin(attempt.name, attempt.address, now());
    if (!counted) return std::unexpected(SignInRejection{counted.error()});
    const bool matches = matches_password(attempt.password, user ? user->password_hash : "", cost_);
    if (!matches || user->is_disabled) {
        counted->fail(now());
        audit_.record_rejected("session.reject", attempt.name);
        return std::unexpected(SignInRejection{});
    }
    counted->succeed();
    return {};
}

std::expected<CreatedSession, SignInRejection> Accounts::sign_in(const SignInAttempt& attempt)
{
    const auto user = users_.find_by_name(attempt.name);
    if (auto checked = check(attempt, user); !checked) return std::unexpected(checked.error());
    const AuditScope scope({"user:" + user->id, attempt.address});
    auto made =
        tokens_.sessions().create({user->id, user->password_hash, attempt.address, attempt.agent, {}});
    if (!made) return std::unexpected(SignInRejection{});
    tokens_.reload();
    return std::move(*made);
}

Result<CreatedSession> Accounts::sign_on(const ExternalUser& external, const SignOnClient& client)
{
    const AuditScope by_provider({"identity provider", client.address});
    const auto user = users_.sign_on(external);
    if (!user) {
        audit_.record_rejected("session.reject", user.error().code + ": " + external.name);
        tokens_.reload(); // without a role, sessions have ended
        return std::unexpected(user.error());
    }
    const AuditScope by_user({"user:" + user->id, client.address});
    auto made =
        tokens_.sessions().create({user->id, user->password_hash, client.address, client.agent, client.sid});
    tokens_.reload();
    return made;
}

Result<void> Accounts::end_sessions(const ProviderLogout& logout, const std::string& address)
{
    const AuditScope by_provider({"identity provider", address});
    const auto ended = tokens_.sessions().end(logout);
    if (!ended) return std::unexpected(ended.error());
    if (*ended > 0) tokens_.reload();
    return {};
}

std::expected<void, SignInRejection>
Accounts::check_password(const std::string& user, const std::string& password, const std::string& address)
{
    const auto known = users_.find(user);
    return check({known ? known->name : user, password, address, {}}, known);
}

// Names of users have no blank: the key of the link is nobody's.
std::expected<void, SignInRejection> Accounts::check_link(const ShareLink& link, const std::string& password,
                                                          const std::string& address)
{
    const auto key = "link " + link.id;
    auto counted = throttle_.begin(key, address, now());
    if (!counted) return std::unexpected(SignInRejection{counted.error()});
    if (!matches_password(password, link.password_hash, cost_)) {
        counted->fail(now());
        audit_.record_rejected("share-link.reject", link.id);
        return std::unexpected(SignInRejection{});
    }
    counted->succeed();
    return {};
}

Result<void> Accounts::end_session(const std::string& id, const std::string& user)
{
    auto removed = tokens_.sessions().remove(id, user);
    if (removed) tokens_.reload();
    return removed;
}

std::vector<UserSession> Accounts::list_sessions(const std::string& user) const
{
    return tokens_.sessions().list(user);
}

} // namespace vitrine::server
