// The workers of the database as targets of links.
#include "server/link/link_pool.hpp"

#include "server/services/workers/worker_directory.hpp"

namespace vitrine::server {

std::vector<LinkTarget> order_targets(std::string_view content_hash, std::vector<api::Worker> workers)
{
    std::vector<LinkTarget> targets;
    std::erase_if(workers, [](const api::Worker& worker) { return worker.address.empty(); });
    for (const bool has_room : {true, false}) {
        if (!has_room)
            for (auto& worker : workers) {
                worker.load.viewers = 0;
                worker.viewer_slots = 1;
            }
        while (const auto* chosen = choose_worker(content_hash, workers)) {
            targets.push_back({chosen->id, chosen->address});
            workers.erase(workers.begin() + (chosen - workers.data()));
        }
    }
    return targets;
}

FindLinkTargets find_in(WorkerDirectory& directory)
{
    return [&directory](const std::string& content_hash) {
        return order_targets(content_hash, directory.live_workers());
    };
}

} // namespace vitrine::server
