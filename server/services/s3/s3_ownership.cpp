#include "server/services/s3/s3_ownership.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/catalog/blob_ledger.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view owner_key = "owner";
constexpr std::size_t max_owner_bytes = 100;
constexpr std::size_t max_damaged = 10'000; // remembered hashes

// Empty: there is none. Not all of a long text.
std::string read_owner(S3Client& client)
{
    std::string owner;
    client.get(std::string(owner_key), [&](std::span<const std::byte> bytes) {
        const auto size = std::min(bytes.size(), max_owner_bytes - owner.size());
        owner.append(reinterpret_cast<const char*>(bytes.data()), size);
    });
    for (auto& c : owner)
        if (c <= ' ' || c >= 0x7f) c = '?'; // it is shown
    return owner;
}

// Returns the catalog that the objects belong to, after making it this one if there was none, or in any case
// with `take_over`. Not atomic: ask again before objects are removed.
std::string claim_prefix(S3Client& client, const std::string& catalog, bool take_over)
{
    auto owner = read_owner(client);
    if (owner == catalog || (!owner.empty() && !take_over)) return owner;
    client.put_text(std::string(owner_key), catalog);
    return read_owner(client); // another catalog may have claimed it at the same time
}

std::string other_owner(const S3Options& store, const std::string& owner, const std::string& catalog)
{
    return fmt::format(
        "s3://{}/{} belongs to another catalog ({}, not {}): name another prefix with --blobs, "
        "or start once with --take-over-blobs, after which what only the other catalog refers "
        "to is removed",
        store.bucket, store.prefix, owner, catalog);
}

} // namespace

void S3Ownership::join(BlobLedger& ledger)
{
    ledger_ = &ledger;
    confirmed_ = false;
    try {
        const auto owner = claim_prefix(client_, ledger.identity(), take_over_);
        if (owner != ledger.identity())
            throw StorageError(StorageError::Kind::failed,
                               other_owner(client_.options(), owner, ledger.identity()));
        confirmed_ = true;
    } catch (const StorageError& error) {
        if (error.kind != StorageError::Kind::unavailable) throw;
        spdlog::warn("msg=\"the object store does not say whose it is\" error={:?}",
                     std::string_view(error.what()));
    }
}

void S3Ownership::require()
{
    if (!confirmed_ && !confirm())
        throw StorageError(StorageError::Kind::unavailable, "the object store belongs to another catalog");
}

bool S3Ownership::confirm()
{
    if (ledger_ == nullptr) return true;
    const auto owner = claim_prefix(client_, ledger_->identity(), false);
    const bool own = owner == ledger_->identity();
    if (!own && confirmed_.exchange(false))
        spdlog::error("msg=\"nothing is stored and removed any more\" error={:?}",
                      other_owner(client_.options(), owner, ledger_->identity()));
    if (own) confirmed_ = true;
    return own;
}

bool S3Ownership::is_damaged(const std::string& hash) const
{
    {
        const std::lock_guard lock(mutex_);
        if (damaged_.contains(hash)) return true;
    }
    return ledger_ != nullptr && ledger_->is_damaged(hash);
}

void S3Ownership::set_damaged(const std::string& hash, bool damaged)
{
    {
        const std::lock_guard lock(mutex_);
        if (!damaged) damaged_.erase(hash);
        if (damaged && damaged_.size() < max_damaged) damaged_.insert(hash);
    }
    try {
        if (ledger_ != nullptr) ledger_->set_damaged(hash, damaged);
    } catch (const StorageError& error) {
        spdlog::warn("msg=\"damage of a blob not recorded\" error={:?}", std::string_view(error.what()));
    }
}

} // namespace vitrine::server
