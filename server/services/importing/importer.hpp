#pragma once
// Takes import jobs from the catalog and runs them: load (loader process), metadata, bounds, thumbnail and
// sprite, each told as an event the moment it is usable. Originals stay whatever happens. A killed process
// leaves a lease behind and the job is taken up again.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "server/services/catalog/catalog.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/services/rendering/pictures.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

struct ImporterOptions {
    unsigned workers = 1;
    std::chrono::milliseconds lease{30'000};
    std::chrono::milliseconds poll{2'000};     // how often the queue is looked at without wake()
    unsigned attempts = 5;                     // for failures of the environment; a bad file fails at once
    std::chrono::milliseconds back_off{1'000}; // doubles each time
    unsigned crashes = 20; // of the whole server in one import, before it is left out for good
    std::chrono::milliseconds full_disk{10'000}; // between attempts where the disk is full; they do not count
    std::uint32_t thumbnail_size = 256;
    std::uint32_t sprite_frames = 16;
    std::uint32_t sprite_size = 192;
};

class Importer {
public:
    Importer(Catalog& catalog, SceneStore& scenes, Pictures& pictures, RenderPool& renders, EventBus& events,
             Metrics& metrics, const ImporterOptions& options);
    ~Importer(); // stop(0)
    Importer(const Importer&) = delete;
    Importer& operator=(const Importer&) = delete;

    // Queues again what a dead process held, then starts the workers.
    void start();
    void wake(); // a job was queued; any thread
    // Claims nothing more and stops what runs: loader processes are killed, the rest ends with its next step,
    // all jobs go back to the queue. Does not wait; any thread.
    void interrupt();
    // The same, and waits until `deadline`; then the jobs of what still runs are handed back without it.
    void stop(std::chrono::milliseconds deadline);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
