#include "server/services/uploads/storage_quota.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/audit/acting_user.hpp"
#include "server/services/uploads/quota_rows.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Clock::duration min_count_interval = std::chrono::seconds(1);
constexpr Clock::duration max_count_interval = std::chrono::minutes(5);
constexpr int count_cost_share = 50; // a count takes at most this share of the time
constexpr std::size_t max_counts = 10'000;

constexpr std::chrono::seconds renewal{60};
constexpr long long renewed_lifetime =
    5ll * 60 * 1'000'000; // of a reservation that is not renewed, microseconds
constexpr long long settled_lifetime = 10ll * 60 * 1'000'000; // longer than max_count_interval

std::unexpected<ServiceError> all_full(std::uint64_t bytes, std::uint64_t used, std::uint64_t limit)
{
    return make_error(
        Errc::no_room, "quota_exceeded",
        fmt::format("The library may have {} bytes; it has {}, and these {} do not fit. What is "
                    "in the trash counts.",
                    limit, used, bytes));
}

std::unexpected<ServiceError> user_full(std::uint64_t bytes, std::uint64_t used, std::uint64_t limit)
{
    return make_error(Errc::no_room, "user_quota_exceeded",
                      fmt::format("Your uploads may have {} bytes; they have {}, and these {} do not fit. "
                                  "What is in the trash counts.",
                                  limit, used, bytes));
}

bool fits(std::uint64_t bytes, std::uint64_t used, std::uint64_t limit)
{
    return bytes == 0 || (used <= limit && bytes <= limit - used);
}

void write_row(DatabaseConnection& sql, const std::string& id, const std::string& user, std::uint64_t bytes,
               std::uint64_t user_bytes)
{
    const auto all = static_cast<long long>(bytes), own = static_cast<long long>(user_bytes);
    sql << "INSERT INTO storage_reservations (id, owner, bytes, owner_bytes, expires) VALUES (:id, :owner, "
           ":bytes, :own, now_micros() + :lifetime) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, "
           "owner_bytes = excluded.owner_bytes, expires = excluded.expires",
        use(id), use(user), use(all), use(own), use(renewed_lifetime);
}

} // namespace

StorageQuota::StorageQuota(DatabaseConnections& database, const QuotaLimits& limits)
    : database_(database), limits_(limits)
{
}

void StorageQuota::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void StorageQuota::stop()
{
    thread_ = {};
}

// Counts again after a while: other processes store and remove files too.
StorageQuota::Stored StorageQuota::stored(const std::string& user)
{
    {
        const std::lock_guard lock(mutex_);
        const auto found = stored_.find(user);
        if (found != stored_.end() && Clock::now() < found->second.until) return found->second;
    }
    const auto begin = Clock::now();
    auto counted = database_.read([&](DatabaseConnection& sql) {
        Stored count;
        sql << "SELECT now_micros()", into(count.since);
        count.bytes = count_stored(sql, user);
        return count;
    });
    const auto end = Clock::now();
    counted.until =
        end + std::clamp((end - begin) * count_cost_share, min_count_interval, max_count_interval);
    const std::lock_guard lock(mutex_);
    if (stored_.size() >= max_counts) stored_.clear();
    stored_[user] = counted;
    return counted;
}

StorageQuota::Use StorageQuota::in_use()
{
    return {.stored = stored({}).bytes,
            .open = database_.read([](DatabaseConnection& sql) { return count_open(sql, {}); })};
}

std::optional<std::uint64_t> StorageQuota::limit_of(DatabaseConnection& sql, const std::string& user) const
{
    if (user.empty()) return std::nullopt;
    long long bytes = -1;
    sql << "SELECT quota_bytes FROM users WHERE id = :id", into(bytes), use(user);
    if (sql.got_data() && bytes >= 0) return static_cast<std::uint64_t>(bytes);
    return limits_.user_bytes > 0 ? std::optional(limits_.user_bytes) : std::nullopt;
}

UserStorage StorageQuota::storage_of(const std::string& user)
{
    return {.used = stored(user).bytes,
            .limit = database_.read([&](DatabaseConnection& sql) { return limit_of(sql, user); })};
}

std::map<std::string, UserStorage> StorageQuota::storage_of_users() const
{
    return database_.read([this](DatabaseConnection& sql) {
        std::map<std::string, UserStorage> users;
        const auto used = count_stored_by_user(sql);
        std::string id;
        long long bytes = 0;
        PreparedStatement rows = (sql.prepare << "SELECT id, quota_bytes FROM users", into(id), into(bytes));
        for (rows.execute(); rows.fetch();) {
            auto& user = users[id];
            if (const auto found = used.find(id); found != used.end()) user.used = found->second;
            if (bytes >= 0)
                user.limit = static_cast<std::uint64_t>(bytes);
            else if (limits_.user_bytes > 0)
                user.limit = limits_.user_bytes;
        }
        return users;
    });
}

Result<StorageQuota::Reservation> StorageQuota::reserve(std::string_view principal, std::uint64_t bytes)
{
    Reservation made;
    database_.read([&](DatabaseConnection& sql) {
        made.user_ = find_user_of(sql, principal);
        made.user_limit_ = limit_of(sql, made.user_);
    });
    if (limits_.all_bytes == 0 && !made.user_limit_) return made;
    made.id_ = new_id("room");
    if (auto room = put(made, {bytes, bytes}); !room) return std::unexpected(room.error());
    made.quota_ = this;
    made.bytes_ = bytes;
    return made;
}

// Files are counted before the transaction: what is stored meanwhile is reserved still, or was settled later.
Result<void> StorageQuota::put(const Reservation& reservation, const Wanted& wanted)
{
    const auto& user = reservation.user_;
    const auto all = limits_.all_bytes > 0 ? stored({}) : Stored{};
    const auto own = reservation.user_limit_ ? stored(user) : Stored{};
    const auto used = [&](DatabaseConnection& sql, const std::string& of, const Stored& count) {
        return count.bytes + count_reserved(sql, of, reservation.id_, count.since) +
               (wanted.beside_open ? count_open(sql, of) : 0);
    };
    auto room = database_.write_unsynced([&](DatabaseConnection& sql) -> Result<void> {
        sql.dialect.lock_briefly(sql, "vitrine.storage_reservations");
        remove_abandoned(sql);
        if (limits_.all_bytes > 0)
            if (const auto bytes = used(sql, {}, all); !fits(wanted.bytes, bytes, limits_.all_bytes))
                return all_full(wanted.bytes, bytes, limits_.all_bytes);
        if (reservation.user_limit_)
            if (const auto bytes = used(sql, user, own);
                !fits(wanted.user_bytes, bytes, *reservation.user_limit_))
                return user_full(wanted.user_bytes, bytes, *reservation.user_limit_);
        write_row(sql, reservation.id_, user, wanted.bytes, wanted.user_bytes);
        return {};
    });
    const std::lock_guard lock(mutex_);
    if (room) reserved_.insert(reservation.id_);
    return room;
}

StorageQuota::Wanted StorageQuota::find_new_bytes(std::span<const NewAsset> assets, const std::string& user,
                                                  const std::string& version_of) const
{
    return database_.read([&](DatabaseConnection& sql) {
        Wanted wanted{.beside_open = false};
        std::set<std::string_view> seen;
        for (const auto& asset : assets) {
            const auto hash = Catalog::source_hash(asset);
            const bool is_new =
                version_of.empty() ? !is_known_source(sql, hash) : !is_known_version(sql, version_of, hash);
            for (const auto* files : {&asset.files, &asset.attached})
                for (const auto& file : *files) {
                    if (!seen.insert(file.blob).second) continue;
                    if (!is_stored(sql, file.blob, {})) wanted.bytes += file.size_bytes;
                    if (is_new && !user.empty() && !is_stored(sql, file.blob, user))
                        wanted.user_bytes += file.size_bytes;
                }
        }
        return wanted;
    });
}

void StorageQuota::settle(const std::string& id)
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE storage_reservations SET settled = now_micros(), expires = now_micros() + :lifetime "
               "WHERE id = :id",
            use(settled_lifetime), use(id);
    });
    const std::lock_guard lock(mutex_);
    reserved_.erase(id);
}

void StorageQuota::abandon(std::string id)
{
    {
        const std::lock_guard lock(mutex_);
        reserved_.erase(id);
        abandoned_.push_back(std::move(id));
    }
    changed_.notify_one();
}

// Also what other processes have left. Rows of this transaction that is undone expire.
void StorageQuota::remove_abandoned(DatabaseConnection& sql)
{
    std::vector<std::string> ids;
    {
        const std::lock_guard lock(mutex_);
        ids.swap(abandoned_);
    }
    for (const auto& id : ids)
        sql << "DELETE FROM storage_reservations WHERE id = :id", use(id);
    sql << "DELETE FROM storage_reservations WHERE expires < now_micros()";
}

void StorageQuota::renew()
{
    std::vector<std::string> ids;
    {
        const std::lock_guard lock(mutex_);
        ids.assign(reserved_.begin(), reserved_.end());
    }
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql.dialect.lock_briefly(sql, "vitrine.storage_reservations");
        remove_abandoned(sql);
        for (const auto& id : ids)
            sql << "UPDATE storage_reservations SET expires = now_micros() + :lifetime "
                   "WHERE id = :id AND settled = 0",
                use(renewed_lifetime), use(id);
    });
}

void StorageQuota::work(const std::stop_token& stop)
{
    const StatementLimit limit(std::chrono::seconds(5));
    while (!stop.stop_requested()) {
        bool is_due = false;
        {
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, stop, renewal, [this] { return !abandoned_.empty(); });
            is_due = !abandoned_.empty() || !reserved_.empty();
        }
        if (!is_due) continue;
        try {
            renew();
        } catch (const std::exception& error) {
            spdlog::warn("msg=\"reservations of uploads not renewed\" error={:?}",
                         std::string_view(error.what()));
        }
    }
}

} // namespace vitrine::server
