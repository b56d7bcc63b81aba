#include "server/services/workers/worker_directory.hpp"

#include <algorithm>
#include <cstdint>

namespace vitrine::server {
namespace {

// FNV-1a of both texts, then the finalizer of SplitMix64.
std::uint64_t score(std::string_view content_hash, std::string_view worker)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
    std::ranges::for_each(content_hash, add);
    add('\n');
    std::ranges::for_each(worker, add);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

bool has_room(const api::Worker& worker, WorkerUse use)
{
    if (!worker.is_alive) return false;
    return use == WorkerUse::viewer ? worker.load.viewers < worker.viewer_slots
                                    : worker.load.draws < worker.draw_slots;
}

} // namespace

const api::Worker* choose_worker(std::string_view content_hash, std::span<const api::Worker> workers,
                                 WorkerUse use)
{
    const api::Worker* best = nullptr;
    std::uint64_t best_score = 0;
    for (const auto& worker : workers) {
        if (!has_room(worker, use)) continue;
        const auto own = score(content_hash, worker.id);
        if (best != nullptr && own <= best_score) continue;
        best = &worker;
        best_score = own;
    }
    return best;
}

} // namespace vitrine::server
