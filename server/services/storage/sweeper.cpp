#include "server/services/storage/sweeper.hpp"

#include <string_view>

#include <spdlog/spdlog.h>

namespace vitrine::server {
namespace {

// A disk that cannot be written or read: said once for each piece of work, what is left waits for a start.
template <class Work>
void try_to(Work work)
{
    try {
        work();
    } catch (const std::exception& error) {
        spdlog::warn("msg=\"unused blobs stay\" failure={:?}", std::string_view(error.what()));
    }
}

} // namespace

Sweeper::Sweeper(const Catalog& catalog, BlobStore& blobs, Metrics& metrics)
    : catalog_(catalog), blobs_(blobs), metrics_(metrics)
{
}

void Sweeper::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void Sweeper::stop()
{
    thread_ = {};
}

void Sweeper::work(const std::stop_token& stop)
{
    try_to([&] {
        blobs_.visit([&](const std::string& hash) {
            sweep(hash);
            return !stop.stop_requested();
        });
    });
    for (auto released = blobs_.await_released(stop); !released.empty();
         released = blobs_.await_released(stop))
        try_to([&] {
            for (const auto& hash : released)
                sweep(hash);
        });
}

void Sweeper::sweep(const std::string& hash)
{
    if (catalog_.names_blob(hash)) return; // most are, and nobody need wait for this answer
    if (blobs_.remove_unless(hash, [&] { return catalog_.names_blob(hash); }))
        metrics_.blobs_swept.Increment();
}

} // namespace vitrine::server
