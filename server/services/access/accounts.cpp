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
    if (const auto wait = throttle_.begin(attempt.name, attempt.address, now()); wait > 0)
        return std::unexpected(SignInRejection{wait});
    const bool matches = matches_password(attempt.password, user ? user->password_hash : "", cost_);
    if (!matches || user->is_disabled) {
        audit_.record_rejected("session.reject", attempt.name);
        return std::unexpected(SignInRejection{});
    }
    throttle_.succeed(attempt.name, attempt.address);
    return {};
}

std::expected<CreatedSession, SignInRejection> Accounts::sign_in(const SignInAttempt& attempt)
{
    const auto user = users_.find_by_name(attempt.name);
    if (auto checked = check(attempt, user); !checked) return std::unexpected(checked.error());
    const AuditScope scope({"user:" + user->id, attempt.address});
    auto made = tokens_.sessions().create(user->id, user->password_hash, attempt.address, attempt.agent);
    if (!made) return std::unexpected(SignInRejection{});
    tokens_.reload();
    return std::move(*made);
}

std::expected<void, SignInRejection>
Accounts::check_password(const std::string& user, const std::string& password, const std::string& address)
{
    const auto known = users_.find(user);
    return check({known ? known->name : user, password, address, {}}, known);
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
