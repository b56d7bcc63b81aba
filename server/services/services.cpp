#include "server/services/services.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/services/s3/s3_blob_store.hpp"
#include "server/services/s3/s3_derived_store.hpp"
#include "server/util/files.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

// Calls `work` with options whose stop is that of `options` or of the work of this thread; the latter throws
// Stopped.
template <class Work>
auto run_stoppable(worker::ClientOptions options, Work work)
{
    std::stop_source either;
    const auto stop = [&either] { either.request_stop(); };
    const std::stop_callback of_options(options.stop, stop), of_thread(thread_stop_token(), stop);
    options.stop = either.get_token();
    auto result = work(options);
    check_stop();
    return result;
}

IngestLoader make_ingest_loader(const worker::ClientOptions& options)
{
    return {.unpack =
                [options](const fs::path& zip, const fs::path& folder) {
                    return run_stoppable(options, [&](const auto& stoppable) {
                        return worker::unpack_zip(zip, folder, stoppable);
                    });
                },
            .find_models =
                [options](const std::vector<worker::BundleFile>& files) {
                    return run_stoppable(options, [&](const auto& stoppable) {
                        return worker::find_models(files, stoppable);
                    });
                },
            .unpack_to_sink =
                [options](const worker::BundleFile& zip, const worker::UnpackSink& sink) {
                    return run_stoppable(options, [&](const auto& stoppable) {
                        return worker::unpack_zip(zip, sink, stoppable);
                    });
                }};
}

// None for the role `api`.
std::vector<MakeRenderDevice> make_devices(const ServicesConfig& config)
{
    if (config.role == ProcessRole::api) return {};
    if (!config.devices.empty()) return config.devices;
    return server::make_devices(config.render, config.render_process,
                                {.private_folder = config.data, .scene_bytes = config.scene_bytes});
}

std::unique_ptr<BlobStore> make_stored_blobs(const ServicesConfig& config, prometheus::Registry& registry)
{
    if (fs::exists(config.data / restore_mark))
        throw StorageError(
            StorageError::Kind::failed,
            fmt::format("{} has an unfinished restore; run `vitrine restore` again, which continues it",
                        config.data.native()));
    if (config.s3) return make_s3_blob_store(config.data, *config.s3, registry);
    if (!config.blob_folder.empty())
        return make_separate_blob_store(config.data, config.blob_folder, config.take_over_blobs);
    return make_file_blob_store(config.data, config.take_over_blobs);
}

// With the files of libraries.
std::unique_ptr<BlobStore> make_blobs(const ServicesConfig& config, prometheus::Registry& registry,
                                      Catalog& catalog)
{
    return make_library_blob_store(make_stored_blobs(config, registry), catalog, config.libraries);
}

// Every folder in which this process alone may change files.
std::vector<std::unique_ptr<DataLock>> lock_folders(const ServicesConfig& config)
{
    std::set<fs::path> folders{whole_path(config.data)};
    if (!config.blob_folder.empty()) folders.insert(whole_path(config.blob_folder));
    if (!config.catalog.empty() && !is_postgres(config.catalog))
        folders.insert(whole_path(config.catalog).parent_path());
    std::vector<std::unique_ptr<DataLock>> locks;
    for (const auto& folder : folders)
        locks.push_back(std::make_unique<DataLock>(folder));
    return locks;
}

DerivedCache make_derived(const ServicesConfig& config, Metrics& metrics)
{
    const auto folder = config.data / "derived";
    if (!config.shared_derived) return {folder, config.derived_bytes, metrics};
    return {folder, config.derived_bytes, metrics, make_derived_store(*config.shared_derived),
            config.shared_derived->limits};
}

ImporterOptions importer_options(const ServicesConfig& config, Pictures& pictures)
{
    auto options = config.importer;
    options.on_thumbnail = [&pictures](const AssetRecord& asset) { pictures.add_thumbnail(asset); };
    return options;
}

worker::ClientOptions stopped_by(const std::stop_source& source, worker::ClientOptions options)
{
    options.stop = source.get_token();
    return options;
}

// Groups files by upload: the first part of their path, or "" for those directly in the folder.
std::map<std::string, std::vector<fs::path>> uploads_under(const fs::path& folder)
{
    std::map<std::string, std::vector<fs::path>> uploads;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const auto name = fs::relative(entry.path(), folder);
        const bool nested = std::distance(name.begin(), name.end()) > 1;
        uploads[nested ? name.begin()->string() : std::string()].push_back(entry.path());
    }
    return uploads;
}

} // namespace

Services::Services(const ServicesConfig& config, prometheus::Registry& registry)
    : locks(lock_folders(config)), role(config.role), has_own_catalog(!is_postgres(config.catalog)),
      metrics(registry), blobs(make_blobs(config, registry, catalog)),
      catalog(config.catalog.empty() ? std::string(config.data / catalog_file) : config.catalog,
              config.catalog_readers),
      tokens(catalog.connections()), audit(catalog.connections(), config.audit_age),
      accounts(catalog.connections(), tokens, audit, config.password_cost),
      device_grants(catalog.connections(), tokens, config.device_times), rate_counts(catalog.connections()),
      sign_on(config.oidc ? std::make_unique<SingleSignOn>(*config.oidc) : nullptr),
      event_relay(catalog, events), webhooks(catalog.connections()),
      webhook_sender(catalog.connections(), registry, config.webhooks), blob_ledger(catalog),
      workers(catalog.connections()), render_queue(catalog.connections()),
      remote_renderer(render_queue, workers, catalog.signals()),
      readiness(catalog, config.data, config.readiness), blob_garbage_collector(catalog, *blobs, metrics),
      derived(make_derived(config, metrics)),
      renders(make_devices(config), config.renders, metrics, config.on_all_devices_disabled),
      quarantine(render_queue, renders),
      scenes(catalog, *blobs, derived,
             config.load_scene ? config.load_scene : make_load_scene(stopped_by(loading, config.loader)),
             config.scene_bytes, metrics),
      images(scenes, derived, renders, config.images), pictures(catalog, images, registry, config.pictures),
      gate(config.importer.gate),
      importer(catalog, scenes, images, metrics, importer_options(config, pictures)),
      quota(catalog.connections(), config.quota),
      ingest(catalog, *blobs, make_ingest_loader(stopped_by(loading, config.loader)), config.data / "tmp",
             config.ingest, &quota),
      uploads(catalog.connections(), *blobs, config.uploads),
      libraries(catalog, ingest, *blobs, config.libraries), tags(catalog.connections()),
      collections(catalog.connections()), notes(catalog.connections()), searches(catalog.connections()),
      trash(catalog.connections(), *blobs, std::chrono::hours(24) * config.trash_days),
      posted_limit(config.posted_bytes),
      posted_bytes(std::make_shared<ByteBudget>(posted_limit, metrics.posted_bytes)),
      response_jobs(catalog.connections(), derived, registry)
{
    blobs->join(blob_ledger);
}

Services::~Services()
{
    stop(std::chrono::milliseconds(0));
}

void Services::start()
{
    readiness.start();
    tokens.start();
    audit.start();
    blob_garbage_collector.start();
    uploads.start();
    quota.start();
    trash.start();
    if (role != ProcessRole::api) libraries.start();
    if (role != ProcessRole::api) importer.start();
    if (role != ProcessRole::api) pictures.start();
    if (role != ProcessRole::worker) webhook_sender.start();
}

void Services::join(WorkerOffer offer)
{
    if (role == ProcessRole::api) return;
    auto answer = std::move(offer.answer);
    const auto slots = offer.draw_slots;
    registration = std::make_unique<WorkerRegistration>(workers, [this, offer = std::move(offer)] {
        if (!has_own_catalog) quarantine.exchange();
        return describe(offer);
    });
    is_listed = has_own_catalog;
    if (has_own_catalog) return;
    quarantine.share_at_once();
    if (slots > 0)
        render_worker =
            std::make_unique<RenderWorker>(render_queue, catalog.signals(), registration->id(), slots,
                                           std::move(answer), [this] { return has_device(); });
    registration->start();
    if (render_worker) render_worker->start();
}

std::vector<api::Worker> Services::list_workers(std::size_t limit) const
{
    if (!has_own_catalog) return workers.list(limit);
    if (!is_listed) return {};
    constexpr std::int64_t step = 10'000'000; // microseconds, in which equal responses have one entity tag
    auto worker = registration->current();
    worker.heartbeat = std::max(worker.started, worker.heartbeat - worker.heartbeat % step);
    return {std::move(worker)};
}

std::vector<api::Worker> Services::live_workers()
{
    return has_own_catalog ? list_workers() : workers.live_workers();
}

bool Services::has_device() const
{
    return std::ranges::any_of(renders.health().devices, &DeviceHealth::is_available);
}

api::Worker Services::describe(const WorkerOffer& offer) const
{
    api::Worker worker{.address = offer.address, .role = std::string(to_word(role))};
    for (const auto& device : renders.health().devices)
        if (device.is_available && device.info) worker.devices.push_back(device.info->name);
    if (!worker.devices.empty()) {
        worker.viewer_slots = offer.viewer_slots;
        worker.draw_slots = offer.draw_slots;
    }
    worker.load = {.viewers = static_cast<std::uint32_t>(offer.viewers()),
                   .draws = render_worker ? render_worker->running() : 0,
                   .imports = static_cast<std::uint32_t>(importer.running())};
    return worker;
}

void Services::interrupt()
{
    libraries.interrupt();
    importer.interrupt();
    pictures.interrupt();
    webhook_sender.interrupt();
    if (render_worker) render_worker->interrupt();
    loading.request_stop();
    blobs->interrupt();
    derived.interrupt();
}

void Services::stop(std::chrono::milliseconds deadline)
{
    interrupt();
    is_listed = false;
    if (registration) registration->stop();
    if (render_worker) render_worker->stop();
    importer.stop(deadline);
    pictures.stop();
    webhook_sender.stop();
    libraries.stop();
    trash.stop();
    response_jobs.stop();
    uploads.stop();
    quota.stop();
    blob_garbage_collector.stop();
    audit.stop();
    tokens.stop();
    readiness.stop();
    renders.stop();
}

std::size_t import_samples(Services& services, const fs::path& folder)
{
    if (services.catalog.asset_count() > 0) return 0;
    std::size_t asset_count = 0;
    for (const auto& [name, paths] : uploads_under(folder)) {
        std::vector<FileRecord> parts;
        for (const auto& path : paths) {
            auto blob = services.blobs->put_file(path);
            parts.push_back({fs::relative(path, folder / name).generic_string(), blob.hash, blob.size_bytes,
                             std::move(blob.pin)});
        }
        auto created = services.ingest.ingest(std::move(parts));
        if (created)
            asset_count += created->size();
        else
            spdlog::warn("msg=\"samples not imported\" folder={:?} error={:?}", (folder / name).native(),
                         created.error().detail);
    }
    return asset_count;
}

} // namespace vitrine::server
