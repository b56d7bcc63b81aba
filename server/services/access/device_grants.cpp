#include "server/services/access/device_grants.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/hex.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// Without vowels and what looks alike (RFC 8628, 6.1): 20^8 codes.
constexpr std::string_view code_letters = "BCDFGHJKLMNPQRSTVWXZ";
constexpr std::size_t code_size = 8;

std::string make_user_code()
{
    std::string code;
    while (code.size() < code_size) {
        std::array<unsigned char, 32> random{};
        if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1)
            throw std::runtime_error("no random numbers for a code");
        for (const auto byte : random)
            if (byte < 240 && code.size() < code_size) code += code_letters[byte % code_letters.size()];
    }
    return code.insert(code_size / 2, 1, '-');
}

// As make_user_code() has it, of what a person has typed; empty: it is no code.
std::string normalized_code(std::string_view text)
{
    std::string code;
    for (const char c : text) {
        const char letter = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        if (code_letters.contains(letter)) code += letter;
        if (code.size() > code_size) return {};
    }
    return code.size() == code_size ? code.insert(code_size / 2, 1, '-') : std::string();
}

std::string digest_text(const std::string& device_code)
{
    return to_hex(digest_of(device_code));
}

struct DeviceRow {
    std::string client, state, owner, approved_by, granted;
    long long pause = 0, polled = 0, expires = 0;
};

std::optional<DeviceRow> find_row(DatabaseConnection& sql, const std::string& digest)
{
    DeviceRow row;
    sql << fmt::format("SELECT client, state, owner, approved_by, granted, pause, polled, expires "
                       "FROM device_grants WHERE device_code = :code{}",
                       sql.dialect.words().lock_row),
        into(row.client), into(row.state), into(row.owner), into(row.approved_by), into(row.granted),
        into(row.pause), into(row.polled), into(row.expires), use(digest);
    if (!sql.got_data()) return std::nullopt;
    return row;
}

// The longer pause of slow_down is five seconds more (RFC 8628, 3.5), or that of the start again.
void record_poll(DatabaseConnection& sql, const std::string& digest, const DeviceRow& row, long long time,
                 bool is_early, long long step)
{
    const long long pause = is_early ? row.pause + step : row.pause;
    sql << "UPDATE device_grants SET polled = :time, pause = :pause WHERE device_code = :code", use(time),
        use(pause), use(digest);
}

void remove_row(DatabaseConnection& sql, const std::string& digest)
{
    sql << "DELETE FROM device_grants WHERE device_code = :code", use(digest);
}

// Unexpired ones: of all, and of the network of the address.
struct WaitingCodes {
    long long all = 0, of_network = 0;
};

WaitingCodes count_waiting(DatabaseConnection& sql, const std::string& address, long long time)
{
    WaitingCodes waiting;
    const auto network = network_of(address);
    std::string other;
    PreparedStatement rows =
        (sql.prepare << "SELECT address FROM device_grants WHERE expires > :time", into(other), use(time));
    for (rows.execute(); rows.fetch(); ++waiting.all)
        if (network_of(other) == network) ++waiting.of_network;
    return waiting;
}

} // namespace

std::string_view to_word(DevicePollError error)
{
    switch (error) {
    case DevicePollError::pending: return "authorization_pending";
    case DevicePollError::slow_down: return "slow_down";
    case DevicePollError::denied: return "access_denied";
    case DevicePollError::expired: return "expired_token";
    case DevicePollError::too_many_tokens: return "temporarily_unavailable";
    case DevicePollError::unknown: break;
    }
    return "invalid_grant";
}

Result<CreatedDeviceGrant> DeviceGrants::create(const NewDeviceGrant& wanted) const
{
    CreatedDeviceGrant made{{wanted}, make_access_token("")};
    const auto digest = digest_text(made.device_code);
    return database_.write([&](DatabaseConnection& sql) -> Result<CreatedDeviceGrant> {
        sql.dialect.lock_briefly(sql, "vitrine.device_grants");
        const long long time = now(), forgotten = time - times_.lifetime, pause = times_.pause;
        sql << "DELETE FROM device_grants WHERE expires < :time", use(forgotten);
        const auto waiting = count_waiting(sql, wanted.address, time);
        if (waiting.all >= max_waiting || waiting.of_network >= max_waiting_of_address)
            return make_error(Errc::busy, "too_many_device_codes",
                              "Too many codes wait for their approval; try again later.", 60);
        made.grant.user_code = make_user_code();
        made.grant.expires = time + times_.lifetime;
        const long long expires = made.grant.expires;
        const std::string role(to_word(wanted.role));
        sql << "INSERT INTO device_grants (device_code, user_code, client, address, role, state, owner, "
               "approved_by, granted, pause, polled, created, expires) VALUES (:code, :user_code, :client, "
               ":address, :role, 'waiting', '', '', '', :pause, 0, :created, :expires)",
            use(digest), use(made.grant.user_code), use(wanted.client), use(wanted.address), use(role),
            use(pause), use(time), use(expires);
        return made;
    });
}

std::expected<DeviceGrant, unsigned>
DeviceGrants::find_waiting(std::string_view user_code, const std::string& by, const std::string& address)
{
    auto attempt = throttle_.begin(by, address, now());
    if (!attempt) return std::unexpected(attempt.error());
    auto found = find(normalized_code(user_code));
    if (!found) {
        attempt->fail(now());
        return std::unexpected(0u);
    }
    attempt->succeed();
    return *std::move(found);
}

std::optional<DeviceGrant> DeviceGrants::find(const std::string& code) const
{
    return database_.read([&](DatabaseConnection& sql) -> std::optional<DeviceGrant> {
        DeviceGrant grant;
        std::string role;
        long long expires = 0;
        const long long time = now();
        sql << "SELECT client, address, role, user_code, expires FROM device_grants "
               "WHERE user_code = :code AND state = 'waiting' AND expires > :time",
            into(grant.client), into(grant.address), into(role), into(grant.user_code), into(expires),
            use(code), use(time);
        if (!sql.got_data()) return std::nullopt;
        grant.role = parse_role(role).value_or(Role::viewer);
        grant.expires = expires;
        return grant;
    });
}

Result<void> DeviceGrants::decide(std::string_view user_code,
                                  const std::optional<DeviceApproval>& approval) const
{
    const auto code = normalized_code(user_code);
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        std::string digest, client, role;
        const long long time = now();
        sql << fmt::format("SELECT device_code, client, role FROM device_grants WHERE user_code = :code "
                           "AND state = 'waiting' AND expires > :time{}",
                           sql.dialect.words().lock_row),
            into(digest), into(client), into(role), use(code), use(time);
        if (!sql.got_data())
            return make_error(Errc::not_found, "no_device_code", "This code does not exist or has expired.");
        const auto decided = approval.value_or(DeviceApproval{});
        // A token of a member has at most its own role of each grant.
        const auto wanted = parse_role(role).value_or(Role::viewer);
        const auto highest = decided.role == Role::member ? wanted : std::min(wanted, decided.role);
        const std::string state = approval ? "approved" : "denied", granted(to_word(highest));
        sql << "UPDATE device_grants SET state = :state, owner = :owner, approved_by = :by, "
               "granted = :granted WHERE device_code = :code",
            use(state), use(decided.owner), use(decided.by), use(granted), use(digest);
        record_audit(sql, approval ? "device.approve" : "device.deny", client, approval ? granted : "");
        return {};
    });
}

std::expected<NewAccessToken, DevicePollError> DeviceGrants::take_approved(const std::string& digest) const
{
    return database_.write([&](DatabaseConnection& sql) -> std::expected<NewAccessToken, DevicePollError> {
        const auto row = find_row(sql, digest);
        if (!row) return std::unexpected(DevicePollError::unknown);
        const long long time = now();
        if (row->expires <= time) return std::unexpected(DevicePollError::expired);
        const bool is_early = row->polled > 0 && time - row->polled < row->pause;
        record_poll(sql, digest, *row, time, is_early, times_.pause);
        if (is_early) return std::unexpected(DevicePollError::slow_down);
        if (row->state == "waiting") return std::unexpected(DevicePollError::pending);
        remove_row(sql, digest);
        const auto role = parse_role(row->granted);
        if (row->state != "approved" || !role) return std::unexpected(DevicePollError::denied);
        return NewAccessToken{.name = row->client,
                              .role = *role,
                              .expires = time + times_.token_lifetime,
                              .created_by = row->approved_by,
                              .owner = row->owner};
    });
}

// A process that ends between the two transactions loses the request: the program begins again.
std::expected<CreatedAccessToken, DevicePollError> DeviceGrants::poll(const std::string& device_code,
                                                                      const std::string& address) const
{
    auto wanted = take_approved(digest_text(device_code));
    if (!wanted) return std::unexpected(wanted.error());
    const AuditScope scope({wanted->created_by, address});
    auto made = tokens_.create(*std::move(wanted));
    if (!made) return std::unexpected(DevicePollError::too_many_tokens);
    return *std::move(made);
}

} // namespace vitrine::server
