// The options of the services and of links, from the configuration.

#include <algorithm>
#include <utility>

#include <spdlog/spdlog.h>

#include "server/access/access_token.hpp"
#include "server/app.hpp"
#include "server/config_numbers.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {

namespace {

// The identity provider and the embedder.
void set_other_servers(ServicesConfig& services, const Config& config)
{
    if (!config.oidc.issuer.empty()) {
        services.oidc = config.oidc;
        services.oidc->state_key = derive_from_token(config.token, "single sign-on");
    }
    if (!config.embedder.url.empty()) services.pictures.embedder = config.embedder;
}

} // namespace

ServicesConfig services_config(const Config& config, std::function<void()> on_all_devices_disabled)
{
    ServicesConfig services;
    services.role = config.role;
    services.on_all_devices_disabled = std::move(on_all_devices_disabled);
    services.data = config.data;
    services.catalog = config.database;
    services.blob_folder = config.blob_folder;
    services.catalog_readers = std::max(config.catalog_threads, 4u);
    services.render.device = config.gpu;
    services.render_process = config.render_process;
    services.loader = config.loader;
    services.render.pipeline_cache = config.data / "shaders" / "pipelines";
    services.render.on_log_message = [](const std::string& line) { spdlog::warn("msg={:?}", line); };
    services.render.memory_bytes = config.gpu_memory;
    services.render.texture_side = config.texture_side;
    services.render.submit_timeout = std::chrono::seconds(config.submit_seconds);
    services.renders.max_losses = config.device_losses;
    services.uploads = config.uploads;
    services.audit_age = std::chrono::days(config.audit_days);
    set_other_servers(services, config);
    services.quota = {config.quota_bytes, config.user_quota_bytes};
    services.webhooks = config.webhooks;
    services.webhooks.first_retry = std::chrono::seconds(config.webhook_retry_seconds);
    services.libraries = library_options(config);
    services.trash_days = config.trash_days;
    services.importer.workers = config.import_workers;
    services.importer.gate = config.gate;
    services.take_over_blobs = config.blobs.take_over;
    services.derived_bytes = config.derived_mb << 20;
    services.scene_bytes = config.scenes_mb << 20;
    services.posted_bytes = config.posted_mb << 20;
    if (config.shared_derived)
        services.shared_derived = std::make_shared<const SharedDerivedConfig>(*config.shared_derived);
    if (config.s3) services.s3 = std::make_shared<const S3BlobsConfig>(*config.s3);
    return services;
}

std::unique_ptr<LinkPool> make_links(const Config& config, const asio::any_io_executor& executor,
                                     Services& services, prometheus::Registry& registry)
{
    if (config.role != ProcessRole::api) return nullptr;
    return std::make_unique<LinkPool>(executor,
                                      LinkPoolOptions{.secret = config.link_secret,
                                                      .find = find_in(services.workers),
                                                      .authorities = config.link_ca},
                                      registry);
}

} // namespace vitrine::server
