#include "server/services/storage/derived_cache.hpp"

#include <fmt/format.h>

#include "server/services/storage/derived_cache_state.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {

using Ask = SharedDerived::Ask;

std::string DerivedKey::digest() const
{
    return sha256_hex(fmt::format("{}\n{}\n{}\n{}", content_hash, kind, revision, parameters));
}

DerivedCache::DerivedCache(const fs::path& folder, std::uint64_t limit_bytes, Metrics& metrics,
                           std::unique_ptr<DerivedStore> shared, const SharedDerivedOptions& options)
    : state_(std::make_unique<State>())
{
    auto& state = *state_;
    state.folder = folder;
    state.limit = limit_bytes;
    state.metrics = &metrics;
    state.scan();
    if (!shared) return;
    state.shared = std::make_unique<SharedDerived>(
        std::move(shared), options, metrics.shared_derived(),
        SharedDerived::LocalTier{[&state](const std::string& digest) { return state.path_of(digest); },
                                 [&state](const std::string& digest, const fs::path& temporary) {
                                     return state.adopt(digest, temporary);
                                 }});
}

DerivedCache::~DerivedCache() = default;

std::optional<std::vector<std::byte>> DerivedCache::find(const DerivedKey& key)
{
    return state_->find(key.digest(), Ask::once);
}

std::optional<std::vector<std::byte>> DerivedCache::find_published(const DerivedKey& key)
{
    return state_->find(key.digest(), Ask::again);
}

bool DerivedCache::is_shared() const
{
    return state_->shared != nullptr;
}

Result<void> DerivedCache::publish(const DerivedKey& key)
{
    if (state_->shared) return state_->shared->publish(key.digest());
    return make_error(Errc::unavailable, "storage_unavailable",
                      "There is no shared store of derived files (--derived).");
}

void DerivedCache::interrupt()
{
    if (state_->shared) state_->shared->interrupt();
}

bool DerivedCache::contains(const DerivedKey& key) const
{
    const auto digest = key.digest();
    const std::lock_guard lock(state_->mutex);
    return state_->by_digest.contains(digest);
}

std::optional<DerivedFile> DerivedCache::open(const DerivedKey& key)
{
    const auto digest = key.digest();
    std::optional<FileState> checked;
    auto opened = state_->open_local(digest, checked);
    if (!opened && state_->fetch(digest, Ask::once)) opened = state_->open_local(digest, checked);
    state_->count_lookup(digest, opened ? std::optional(opened->size_bytes) : std::nullopt, checked);
    return opened;
}

bool DerivedCache::store(const DerivedKey& key, std::span<const std::byte> bytes)
{
    return store(key, [&](const ContentSink& sink) -> Result<void> {
        sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        return {};
    });
}

bool DerivedCache::store(const DerivedKey& key, const WriteContent& write)
{
    return state_->store(key.digest(), write).value();
}

void DerivedCache::remove(const DerivedKey& key)
{
    const auto digest = key.digest();
    const std::lock_guard lock(state_->mutex);
    state_->forget(digest);
    std::error_code ignored;
    fs::remove(state_->path_of(digest), ignored);
}

Result<std::optional<DerivedFile>> DerivedCache::open_or_store(const DerivedKey& key,
                                                               const WriteContent& write)
{
    if (auto file = open(key)) return file;
    return state_->flights.run(key.digest(), [&]() -> Result<std::optional<DerivedFile>> {
        if (contains(key)) // stored since, by a call that has just ended
            if (auto file = open(key)) return file;
        const auto stored = state_->store(key.digest(), write);
        if (!stored) return std::unexpected(stored.error());
        if (!*stored) return std::nullopt;
        return open(key);
    });
}

} // namespace vitrine::server
