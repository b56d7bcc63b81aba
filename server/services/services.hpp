#pragma once
// All services over one data directory, wired together; the composition root of everything that is not
// network. Members are declared in the order of what depends on what.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include <prometheus/registry.h>

#include "server/services/catalog/catalog.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/services/importing/importer.hpp"
#include "server/services/importing/upload_ingest.hpp"
#include "server/services/rendering/pictures.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/storage/blob_garbage_collector.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/util/data_lock.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

struct ServicesConfig {
    std::filesystem::path data; // made when absent
    render::Options render;
    worker::ClientOptions loader;
    ImporterOptions importer;
    IngestLimits ingest;
    RenderLimits renders;
    PictureLimits pictures;
    std::uint64_t derived_bytes = 20ull << 30;
    std::uint64_t scene_bytes = 512ull << 20;
    std::vector<MakeRenderDevice> devices; // empty: Vulkan with `render`
    std::function<void()> give_up;         // as RenderPool's
    LoadScene load_scene;                  // empty: the loader process with `loader`
};

struct Services {
    // Throws StorageError when the data directory cannot be used or another process owns it.
    Services(const ServicesConfig& config, prometheus::Registry& registry);
    ~Services(); // stop(0)

    void start(); // the import workers and the blob_garbage_collector
    // Nobody waits for answers any more: kills the loader processes that requests started. Does not wait.
    void interrupt();
    void stop(std::chrono::milliseconds deadline);

    DataLock lock;
    std::stop_source loading; // of every loader process
    Metrics metrics;
    EventBus events;
    std::unique_ptr<BlobStore> blobs;
    Catalog catalog;
    BlobGarbageCollector blob_garbage_collector;
    DerivedCache derived;
    RenderPool renders;
    SceneStore scenes;
    Pictures pictures;
    Importer importer;
    Ingest ingest;
};

// Imports every file under `folder`, one upload for each of its sub-folders and one for the files beside
// them, when the catalog has no asset yet. Returns how many assets were made.
std::size_t import_samples(Services& services, const std::filesystem::path& folder);

} // namespace vitrine::server
