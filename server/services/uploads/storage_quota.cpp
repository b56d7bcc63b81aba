#include "server/services/uploads/storage_quota.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Clock::duration min_count_interval = std::chrono::seconds(1);
constexpr int count_cost_share = 50; // a count takes at most this share of the time

std::unexpected<ServiceError> no_quota(std::uint64_t bytes, std::uint64_t used, std::uint64_t limit)
{
    return make_error(
        Errc::no_room, "quota_exceeded",
        fmt::format("The library may have {} bytes; it has {}, and these {} do not fit. What is "
                    "in the trash counts.",
                    limit, used, bytes));
}

} // namespace

StorageQuota::StorageQuota(DatabaseConnections& database, std::uint64_t limit_bytes)
    : database_(database), limit_bytes_(limit_bytes)
{
}

// Counts again after a while: other processes store and remove files too. Reads one index.
std::uint64_t StorageQuota::stored_bytes()
{
    const std::lock_guard lock(mutex_);
    const auto begin = Clock::now();
    if (begin < counted_until_) return stored_;
    stored_ = database_.read([](DatabaseConnection& sql) {
        long long bytes = 0;
        sql << "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM "
               "(SELECT MAX(size_bytes) AS bytes FROM files GROUP BY blob) AS contents",
            into(bytes);
        return static_cast<std::uint64_t>(bytes);
    });
    const auto end = Clock::now();
    counted_until_ = end + std::max<Clock::duration>(min_count_interval, (end - begin) * count_cost_share);
    return stored_;
}

std::uint64_t StorageQuota::open_bytes() const
{
    return database_.read([](DatabaseConnection& sql) {
        long long bytes = 0;
        sql << "SELECT CAST(COALESCE(SUM(length), 0) AS BIGINT) FROM open_uploads "
               "WHERE expires > now_micros() AND concat NOT LIKE 'final;%'",
            into(bytes);
        return static_cast<std::uint64_t>(bytes);
    });
}

StorageQuota::Use StorageQuota::in_use()
{
    return {.stored = stored_bytes(), .open = open_bytes()};
}

Result<void> StorageQuota::check(std::uint64_t bytes)
{
    if (limit_bytes_ == 0) return {};
    const auto now = in_use();
    const auto used = now.stored + now.open + arriving_;
    if (used <= limit_bytes_ && bytes <= limit_bytes_ - used) return {};
    return no_quota(bytes, used, limit_bytes_);
}

Result<void> StorageQuota::Arrival::grow_to(std::uint64_t bytes)
{
    quota_.arriving_ += bytes - bytes_.exchange(bytes);
    return quota_.check(0);
}

std::uint64_t StorageQuota::find_new_bytes(std::span<const FileRecord> files) const
{
    return database_.read([&](DatabaseConnection& sql) {
        std::uint64_t bytes = 0;
        std::set<std::string_view> seen;
        for (const auto& file : files) {
            if (!seen.insert(file.blob).second) continue;
            long long one = 0;
            sql << "SELECT 1 FROM files WHERE blob = :blob LIMIT 1", into(one), use(file.blob);
            if (!sql.got_data()) bytes += file.size_bytes;
        }
        return bytes;
    });
}

Result<StorageQuota::Admission> StorageQuota::admit(std::span<const FileRecord> files)
{
    Admission admission;
    if (limit_bytes_ == 0) return admission;
    admission.turn_ = std::unique_lock(admission_);
    admission.quota_ = this;
    admission.bytes_ = find_new_bytes(files);
    const auto used = stored_bytes();
    if (admission.bytes_ > 0 && (used > limit_bytes_ || admission.bytes_ > limit_bytes_ - used))
        return no_quota(admission.bytes_, used, limit_bytes_);
    return admission;
}

void StorageQuota::Admission::commit()
{
    if (quota_ == nullptr) return;
    const std::lock_guard lock(quota_->mutex_);
    quota_->stored_ += bytes_;
}

} // namespace vitrine::server
