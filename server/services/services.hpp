#pragma once
// All services over one data directory; the composition root of everything except the network. Members are
// declared in order of dependency.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <prometheus/registry.h>

#include "server/services/access/accounts.hpp"
#include "server/services/access/device_grants.hpp"
#include "server/services/access/rate_counts.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/services/events/event_relay.hpp"
#include "server/services/importing/importer.hpp"
#include "server/services/importing/upload_ingest.hpp"
#include "server/services/libraries/library_scanner.hpp"
#include "server/services/notes/note_table.hpp"
#include "server/services/oidc/single_sign_on.hpp"
#include "server/services/organization/collection_table.hpp"
#include "server/services/organization/search_table.hpp"
#include "server/services/organization/tag_table.hpp"
#include "server/services/organization/trash.hpp"
#include "server/services/pictures/pictures.hpp"
#include "server/services/readiness_probe.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/services/rendering/render_devices.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/response_jobs/response_jobs.hpp"
#include "server/services/shared_quarantine.hpp"
#include "server/services/storage/blob_garbage_collector.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/services/uploads/storage_quota.hpp"
#include "server/services/uploads/upload_store.hpp"
#include "server/services/webhooks/webhook_sender.hpp"
#include "server/services/webhooks/webhook_table.hpp"
#include "server/services/workers/process_role.hpp"
#include "server/services/workers/remote_renderer.hpp"
#include "server/services/workers/render_worker.hpp"
#include "server/services/workers/worker_registration.hpp"
#include "server/util/byte_budget.hpp"
#include "server/util/data_lock.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

struct S3BlobsConfig;       // services/s3/s3_blob_store.hpp
struct SharedDerivedConfig; // services/s3/s3_derived_store.hpp

struct ServicesConfig {
    ProcessRole role = ProcessRole::all;
    std::filesystem::path data;        // created if absent
    std::string catalog;               // location of the Catalog; empty: a file in `data`
    std::filesystem::path blob_folder; // of blobs that are files; empty: `data`
    unsigned catalog_readers = 4;
    render::Options render;
    worker::ClientOptions loader;
    ImporterOptions importer;
    IngestLimits ingest;
    UploadLimits uploads;
    QuotaLimits quota;
    WebhookOptions webhooks;
    LibraryOptions libraries;
    unsigned trash_days = 0; // until an asset in the trash is purged; 0: no limit
    RenderLimits renders;
    ImageLimits images;
    ReadinessProbe::Times readiness;
    std::chrono::days audit_age = AuditLog::default_age;
    std::optional<OidcSettings> oidc; // empty: no sign-in by an identity provider
    PictureOptions pictures;
    DeviceTimes device_times;
    PasswordCost password_cost;
    bool take_over_blobs = false;            // the files in `data` may belong to another catalog
    std::shared_ptr<const S3BlobsConfig> s3; // blobs in an object store; null: files of `data`
    std::uint64_t derived_bytes = 20ull << 30;
    std::shared_ptr<const SharedDerivedConfig> shared_derived; // null: derived files of this process only
    std::uint64_t scene_bytes = 512ull << 20;
    std::uint64_t posted_bytes = 1ull << 30; // of models that requests bring and that are not kept
    RenderProcess render_process =
        RenderProcess::never;                      // which devices of `render` have a process of their own
    std::vector<MakeRenderDevice> devices;         // empty: Vulkan with `render`
    std::function<void()> on_all_devices_disabled; // as RenderPool's
    LoadScene load_scene;                          // empty: the loader process with `loader`
};

// What a process offers to others.
struct WorkerOffer {
    std::string address; // URL where it is reached
    std::uint32_t viewer_slots = 0;
    std::uint32_t draw_slots = 0;         // images at the same time for others; 0: it draws for none
    std::function<std::size_t()> viewers; // number of live previews; any thread
    RenderWorker::Answer answer;          // draws for another process
};

struct Services {
    // Throws StorageError when the data directory cannot be used or another process owns it.
    Services(const ServicesConfig& config, prometheus::Registry& registry);
    ~Services(); // calls stop(0)

    // Starts the import workers, except of the role `api`, the garbage collector, the readiness probe, the
    // look for changes of access tokens, and except of the role `worker` the delivery of webhooks.
    void start();
    // Makes the process a worker, unless its role is `api`: registers it, and begins to draw for others, if
    // they can share its catalog.
    void join(WorkerOffer offer);
    // As WorkerDirectory's; where the catalog is that of this process alone, this process, without a row.
    std::vector<api::Worker> list_workers(std::size_t limit = WorkerDirectory::max_workers) const;
    std::vector<api::Worker> live_workers();
    // Kills the loader processes that requests have started and ends calls of the object store, when no
    // client waits any more. Does not wait.
    void interrupt();
    void stop(std::chrono::milliseconds deadline);

    std::vector<std::unique_ptr<DataLock>> locks; // of the folders
    std::stop_source loading;                     // stops every loader process
    const ProcessRole role;
    const bool has_own_catalog; // which no other process uses
    Metrics metrics;
    EventBus events;
    std::unique_ptr<BlobStore> blobs;
    Catalog catalog;
    AccessTokens tokens;
    AuditLog audit;
    Accounts accounts;
    DeviceGrants device_grants;
    RateCounts rate_counts;
    std::unique_ptr<SingleSignOn> sign_on; // null: there is no identity provider
    EventRelay event_relay;
    WebhookTable webhooks;
    WebhookSender webhook_sender;
    BlobLedger blob_ledger;
    WorkerDirectory workers;
    RenderQueue render_queue;
    RemoteRenderer remote_renderer;
    ReadinessProbe readiness;
    BlobGarbageCollector blob_garbage_collector;
    DerivedCache derived;
    RenderPool renders;
    SharedQuarantine quarantine;
    SceneStore scenes;
    ImageService images;
    Pictures pictures;
    CheckGate gate; // of uploads
    Importer importer;
    StorageQuota quota;
    Ingest ingest;
    UploadStore uploads;
    LibraryScanner libraries;
    TagTable tags;
    CollectionTable collections;
    NoteTable notes;
    SearchTable searches;
    Trash trash;
    // Memory of the models in the bodies of requests, MemoryFiles.
    const std::uint64_t posted_limit;
    const std::shared_ptr<ByteBudget> posted_bytes;
    // Of a process that draws, from join() on; null before.
    std::unique_ptr<WorkerRegistration> registration;
    std::unique_ptr<RenderWorker> render_worker; // of an offer with slots
    ResponseJobs response_jobs;

private:
    api::Worker describe(const WorkerOffer& offer) const;
    bool has_device() const;

    std::atomic<bool> is_listed = false; // with its own catalog: between join() and stop()
};

// Imports every file under `folder`, one upload per subfolder and one for the files beside them, if the
// catalog has no assets yet. Returns the number of new assets.
std::size_t import_samples(Services& services, const std::filesystem::path& folder);

} // namespace vitrine::server
