#include "server/services/storage/blob_garbage_collector.hpp"

#include <string_view>
#include <utility>

#include <spdlog/spdlog.h>

namespace vitrine::server {
namespace {

// Runs `work`. An I/O error is logged once per task; the remaining blobs are removed after the next start.
template <class Work>
void try_to(Work work)
{
    try {
        work();
    } catch (const std::exception& error) {
        spdlog::warn("msg=\"unused blobs not removed\" error={:?}", std::string_view(error.what()));
    }
}

} // namespace

BlobGarbageCollector::BlobGarbageCollector(const Catalog& catalog, BlobStore& blobs, Metrics& metrics)
    : catalog_(catalog), blobs_(blobs), metrics_(metrics)
{
}

void BlobGarbageCollector::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void BlobGarbageCollector::stop()
{
    thread_ = {};
}

void BlobGarbageCollector::work(const std::stop_token& stop)
{
    if (!blobs_.is_shared())
        try_to([&] {
            blobs_.visit([&](const std::string& hash) {
                remove_unreferenced(hash);
                return !stop.stop_requested();
            });
        });
    for (auto candidates = blobs_.wait_for_candidates(stop); !candidates.empty();
         candidates = blobs_.wait_for_candidates(stop))
        try_to([&] {
            if (!may_remove()) return;
            for (const auto& hash : candidates)
                if (!stop.stop_requested()) remove_unreferenced(hash);
        });
}

bool BlobGarbageCollector::may_remove()
{
    if (!blobs_.is_shared() || catalog_.asset_count() > 0) return true;
    if (!std::exchange(reported_, true))
        spdlog::warn(
            "msg=\"unused objects of the store are kept while the catalog has no asset: it may be the "
            "wrong catalog\"");
    return false;
}

void BlobGarbageCollector::remove_unreferenced(const std::string& hash)
{
    if (catalog_.names_blob(hash)) return; // fast path for the common case, without the lock
    if (blobs_.remove_unless(hash, [&] { return catalog_.names_blob(hash); }))
        metrics_.blobs_removed.Increment();
}

} // namespace vitrine::server
