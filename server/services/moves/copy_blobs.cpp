// Copying of blobs between two places.

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "server/services/moves/blob_places.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr unsigned copy_threads = 8; // wait for disks and networks

// Of the same size as the blob; empty: there is none.
std::optional<std::uint64_t> size_in(const BlobSizes& sizes, const NamedBlob& blob)
{
    const auto found = sizes.find(blob.hash);
    if (found == sizes.end() || found->second != blob.size_bytes) return std::nullopt;
    return found->second;
}

// A blob that stays where it is: files are read, of objects the store keeps the bytes that it has compared.
BlobOutcome look_at(BlobPlace& place, const std::string& hash, std::optional<std::uint64_t> size_bytes)
{
    if (place.file_of(hash).empty()) return size_bytes ? BlobOutcome::present : BlobOutcome::missing;
    const auto outcome = place.read(hash, [](auto) {});
    return outcome == BlobOutcome::copied ? BlobOutcome::present : outcome;
}

// Compares what the target has now.
BlobTotals count_blobs(std::span<const NamedBlob> blobs, const std::vector<BlobOutcome>& outcomes,
                       BlobPlace& target)
{
    const auto sizes = target.list();
    BlobTotals totals;
    Sha256 digest;
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        const auto& [hash, size_bytes, is_of_library] = blobs[i];
        if (outcomes[i] == BlobOutcome::missing && !is_of_library) totals.missing.push_back(hash);
        if (outcomes[i] == BlobOutcome::damaged) totals.damaged.push_back(hash);
        if (outcomes[i] == BlobOutcome::missing || outcomes[i] == BlobOutcome::damaged) continue;
        if (!size_in(sizes, blobs[i]))
            throw MoveError(StorageError::Kind::failed,
                            fmt::format("{} does not have the blob {} of {} bytes that was copied to it",
                                        target.name(), hash, size_bytes));
        ++totals.blobs;
        totals.bytes += size_bytes;
        totals.copied += outcomes[i] == BlobOutcome::copied ? 1 : 0;
        digest.update(hash);
    }
    totals.digest = digest.finish();
    return totals;
}

} // namespace

BlobTotals copy_blobs(BlobPlace& source, BlobPlace& target, std::span<const NamedBlob> blobs,
                      std::string_view what, const OnMoveProgress& progress)
{
    const auto sizes = target.list();
    std::vector<BlobOutcome> outcomes(blobs.size(), BlobOutcome::missing);
    std::mutex mutex; // guards `done` and `progress`
    std::uint64_t done = 0;
    progress({what, 0, blobs.size()});
    for_each_parallel(blobs.size(), copy_threads, [&](std::size_t i) {
        const auto size_bytes = size_in(sizes, blobs[i]);
        if (is_sha256(blobs[i].hash))
            outcomes[i] = &source == &target ? look_at(target, blobs[i].hash, size_bytes)
                                             : target.put_from(source, blobs[i].hash, size_bytes);
        const std::lock_guard lock(mutex);
        progress({what, ++done, blobs.size()});
    });
    if (&source != &target) target.sync();
    return count_blobs(blobs, outcomes, target);
}

std::vector<std::string> list_other_blobs(BlobPlace& place, std::span<const NamedBlob> blobs)
{
    std::vector<std::string> others;
    for (const auto& [hash, size] : place.list())
        if (!std::ranges::binary_search(blobs, hash, {}, &NamedBlob::hash)) others.push_back(hash);
    std::ranges::sort(others);
    return others;
}

} // namespace vitrine::server
