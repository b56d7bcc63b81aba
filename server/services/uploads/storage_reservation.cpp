// What a reservation of a StorageQuota does.

#include <algorithm>
#include <utility>

#include "server/services/uploads/storage_quota.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t growth_bytes = 8ull << 20; // of bodies of unknown length at a time

} // namespace

StorageQuota::Reservation::Reservation(Reservation&& other) noexcept
    : quota_(std::exchange(other.quota_, nullptr)), id_(std::move(other.id_)), user_(std::move(other.user_)),
      user_limit_(other.user_limit_), bytes_(other.bytes_)
{
}

StorageQuota::Reservation::~Reservation()
{
    if (quota_ != nullptr) quota_->abandon(std::move(id_));
}

// A little more at first: each growth is a transaction.
Result<void> StorageQuota::Reservation::grow_to(std::uint64_t bytes)
{
    if (quota_ == nullptr || bytes <= bytes_) return {};
    auto wanted = std::max(bytes, bytes_ + growth_bytes);
    auto room = quota_->put(*this, {wanted, wanted});
    if (!room && wanted > bytes) {
        wanted = bytes;
        room = quota_->put(*this, {wanted, wanted});
    }
    if (room) bytes_ = wanted;
    return room;
}

Result<void> StorageQuota::Reservation::admit(std::span<const NewAsset> assets, const std::string& version_of)
{
    if (quota_ == nullptr) return {};
    return quota_->put(*this, quota_->find_new_bytes(assets, user_, version_of));
}

void StorageQuota::Reservation::settle()
{
    if (quota_ == nullptr) return;
    quota_->settle(id_);
    quota_ = nullptr;
}

} // namespace vitrine::server
