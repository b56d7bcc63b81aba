#pragma once
// The device authorization grant (RFC 8628): a program without a browser asks for a token, and a person who
// has signed in approves it by a code. The requests are rows of the database, so that any process can answer
// each step. Any thread, blocking. Throws StorageError.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "server/services/access/access_tokens.hpp"
#include "server/services/access/sign_in_throttle.hpp"

namespace vitrine::server {

struct DeviceTimes {
    Micros lifetime = 600ll * 1'000'000; // of a code
    Micros pause = 5ll * 1'000'000;      // between two polls
    Micros token_lifetime = 90ll * 24 * 3600 * 1'000'000;
};

struct NewDeviceGrant {
    std::string client; // as a name of a token: what asks
    std::string address;
    Role role = Role::viewer;
};

struct DeviceGrant : NewDeviceGrant {
    std::string user_code{}; // "BCDF-GHJK"
    Micros expires = 0;
};

struct CreatedDeviceGrant {
    DeviceGrant grant;
    std::string device_code; // which nobody can find again
};

// Who approves: a user, whose tokens end with the user, or an admin without one.
struct DeviceApproval {
    std::string owner{}; // id of the user; empty: none
    std::string by;      // to_text() of the principal
    Role role{};         // of the principal: the token has no higher one
};

enum class DevicePollError : std::uint8_t { pending, slow_down, denied, expired, unknown, too_many_tokens };
std::string_view to_word(DevicePollError error); // as RFC 8628, 3.5 has it: "authorization_pending"

class DeviceGrants {
public:
    static constexpr long long max_waiting = 1000, max_waiting_of_address = 20;

    // Both outlive it.
    DeviceGrants(DatabaseConnections& database, AccessTokens& tokens) : DeviceGrants(database, tokens, {}) {}
    DeviceGrants(DatabaseConnections& database, AccessTokens& tokens, const DeviceTimes& times)
        : database_(database), tokens_(tokens), throttle_(database, "device"), times_(times)
    {
    }

    // Removes expired ones. Errors: busy `too_many_device_codes`.
    Result<CreatedDeviceGrant> create(const NewDeviceGrant& wanted) const;
    // By what a person has typed: cases and signs between the letters do not count. The error: the seconds to
    // wait, because this person or address has tried too many wrong codes; 0: no such code waits. `by`:
    // to_text() of the principal.
    std::expected<DeviceGrant, unsigned> find_waiting(std::string_view user_code, const std::string& by,
                                                      const std::string& address);
    // Empty approval: denied. Errors: not_found `no_device_code`: none waits any more.
    Result<void> decide(std::string_view user_code, const std::optional<DeviceApproval>& approval) const;
    // The token, once. `address`: of the client that asks.
    std::expected<CreatedAccessToken, DevicePollError> poll(const std::string& device_code,
                                                            const std::string& address) const;
    const DeviceTimes& times() const { return times_; }

private:
    std::expected<NewAccessToken, DevicePollError> take_approved(const std::string& digest) const;

    std::optional<DeviceGrant> find(const std::string& user_code) const;

    DatabaseConnections& database_;
    AccessTokens& tokens_;
    SignInThrottle throttle_;
    const DeviceTimes times_;
};

} // namespace vitrine::server
