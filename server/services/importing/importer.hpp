#pragma once
// Claims import jobs from the catalog and runs them: load (loader process), metadata, bounds and
// thumbnail; each result is published as an event as soon as it is available. Sprite sheets and animations
// are rendered when they are first requested. Original files are always kept. If the process is killed, the
// lease expires and the job is claimed again. Between imports, workers of their own refresh what the catalog
// stores about assets that an older version of the code has imported.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "server/services/catalog/catalog.hpp"
#include "server/services/importing/check_gate.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

struct ImporterOptions {
    unsigned workers = 1;
    std::chrono::milliseconds lease{30'000};
    std::chrono::milliseconds poll{2'000}; // interval of queue checks without a signal
    unsigned max_attempts = 5; // for failures of the environment; an invalid file fails immediately
    std::chrono::milliseconds back_off{1'000}; // doubles each time
    unsigned max_crashes = 20; // crashes of the server during one import, before it fails permanently
    unsigned max_refresh_crashes = 5;
    unsigned queued_refreshes = 8; // at most so many at once
    // Between searches for assets to refresh after one has found none: they appear only by a restore from the
    // trash. Those that requests read are found at once.
    std::chrono::milliseconds refresh_search{30'000};
    std::chrono::milliseconds storage_interval{
        10'000}; // between attempts without storage, which do not count
    std::uint32_t thumbnail_size = 256;
    CheckGate gate{};
    // Called by an import that has rendered the thumbnail, before it is recorded; may throw StorageError.
    std::function<void(const AssetRecord&)> on_thumbnail{};
};

class Importer {
public:
    Importer(Catalog& catalog, SceneStore& scenes, ImageService& images, Metrics& metrics,
             const ImporterOptions& options);
    ~Importer(); // stop(0)
    Importer(const Importer&) = delete;
    Importer& operator=(const Importer&) = delete;

    // Queues the jobs of dead processes again, then starts the workers.
    void start();
    std::size_t running() const; // imports and refreshes; any thread
    // A request has read an asset without current facts: it is refreshed before others. Any thread, no wait.
    void prefer_refresh(const std::string& asset);
    // Claims no more jobs and stops running ones: loader processes are killed, other work ends after its
    // current step, all jobs return to the queue. Does not wait; any thread.
    void interrupt();
    // As interrupt(), and waits until `deadline`; then the jobs of runs that have not ended are returned to
    // the queue.
    void stop(std::chrono::milliseconds deadline);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
