#pragma once
// Users of an identity provider in the database.

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "server/services/access/accounts.hpp"
#include "server/services/access/device_grants.hpp"
#include "server/services/audit/audit_log.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {

inline constexpr const char* home = "192.0.2.1";

class CatalogExternalUsers : public CatalogTest {
protected:
    static ExternalUser external(Role role, const std::string& subject = "1",
                                 const std::string& name = "maya")
    {
        return {.issuer = "https://id.example",
                .subject = subject,
                .name = name,
                .display_name = "Maya Lopez",
                .email = "maya@id.example",
                .role = role};
    }
    auto sign_on(const ExternalUser& user) { return accounts.sign_on(user, {home, "Browser/1"}); }
    SharedPrincipal find(const CreatedSession& made) const
    {
        return tokens.find_session(digest_of(made.secret));
    }
    SharedPrincipal find(const CreatedAccessToken& made) const
    {
        return tokens.find_token(digest_of(made.secret));
    }
    // Approved by the user, and not asked for yet.
    CreatedDeviceGrant approved(const User& user, Role wanted = Role::editor)
    {
        auto made = grants.create({.client = "Blender", .address = home, .role = wanted}).value();
        EXPECT_TRUE(
            grants.decide(made.grant.user_code,
                          DeviceApproval{.owner = user.id, .by = "user:" + user.id, .role = user.role}));
        return made;
    }
    User only_user() const { return accounts.list_users().at(0); }

    AccessTokens tokens{catalog.connections()};
    AuditLog audit{catalog.connections()};
    Accounts accounts{catalog.connections(), tokens, audit, {.log_n = 4, .r = 1, .p = 1}};
    DeviceGrants grants{catalog.connections(), tokens};
};

} // namespace vitrine::server::testing
