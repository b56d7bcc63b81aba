#include "server/config_numbers.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

namespace vitrine::server {
namespace {

// Declares options with a number between `min` and `max`.
auto number_declarer(CLI::App& app, const char* group)
{
    return [&app, group](const char* flag, auto& target, const char* variable, const char* help,
                         std::uint64_t min, std::uint64_t max) {
        app.add_option(flag, target, help)
            ->envname(variable)
            ->check(CLI::Range(min, max))
            ->capture_default_str()
            ->group(group);
    };
}

void declare_upload_limits(CLI::App& app, Config& config)
{
    const auto number = number_declarer(app, "Limits");
    number("--upload-mb", config.upload_mb, "VITRINE_UPLOAD_MB", "Maximum size of one upload in MiB", 1,
           10'000'000);
    number("--open-uploads", config.uploads.max_uploads, "VITRINE_OPEN_UPLOADS",
           "Uploads by tus that no asset names yet", 0, 1'000'000);
    number("--open-upload-mb", config.open_upload_mb, "VITRINE_OPEN_UPLOAD_MB",
           "Declared size of all these uploads in MiB", 0, 1'000'000'000);
    number("--posted-mb", config.posted_mb, "VITRINE_POSTED_MB",
           "Memory for models in the bodies of requests in MiB", 1, 1'000'000);
    number("--quota-bytes", config.quota_bytes, "VITRINE_QUOTA_BYTES",
           "Maximum size of all original files in bytes, 0: no limit", 0, 1'000'000'000'000'000'000);
    number("--user-quota-bytes", config.user_quota_bytes, "VITRINE_USER_QUOTA_BYTES",
           "Maximum size of the original files of each user in bytes, 0: no limit", 0,
           1'000'000'000'000'000'000);
    number("--trash-days", config.trash_days, "VITRINE_TRASH_DAYS",
           "Days until an asset in the trash is purged, 0: it stays", 0, 36'500);
    number("--min-free-mb", config.min_free_mb, "VITRINE_MIN_FREE_MB",
           "Minimum free disk space for uploads in MiB", 0, 1'000'000'000);
}

} // namespace

void declare_threads(CLI::App& app, Config& config)
{
    const auto number = number_declarer(app, "Threads");
    number("--io-threads", config.io_threads, "VITRINE_IO_THREADS", "Threads for network I/O", 1, 64);
    number("--catalog-threads", config.catalog_threads, "VITRINE_CATALOG_THREADS",
           "Threads for the catalog and small files", 1, 256);
    number("--scene-threads", config.scene_threads, "VITRINE_SCENE_THREADS", "Threads for scenes and stills",
           1, 256);
    number("--export-threads", config.export_threads, "VITRINE_EXPORT_THREADS",
           "Threads for meshes, exports, series of poses, frame sequences and large stills", 1, 256);
    number("--upload-threads", config.upload_threads, "VITRINE_UPLOAD_THREADS", "Threads that store uploads",
           1, 256);
    number("--preview-threads", config.preview_threads, "VITRINE_PREVIEW_THREADS",
           "Threads that encode preview frames", 1, 256);
    number("--import-workers", config.import_workers, "VITRINE_IMPORT_WORKERS", "Concurrent imports", 1, 64);
}

void declare_limits(CLI::App& app, Config& config)
{
    declare_webhooks(app, config);
    declare_libraries(app, config);
    const auto number = number_declarer(app, "Limits");
    number("--derived-mb", config.derived_mb, "VITRINE_DERIVED_MB", "Disk cache of images and scenes in MiB",
           16, 1'000'000'000);
    number("--scenes-mb", config.scenes_mb, "VITRINE_SCENES_MB", "Memory cache of scenes in MiB", 16,
           1'000'000);
    declare_upload_limits(app, config);
    number("--response-memory-mb", config.response_memory_mb, "VITRINE_RESPONSE_MEMORY_MB",
           "Memory of responses over 64 KiB while they are sent, in MiB", 1, 1'000'000);
    number("--response-disk-mb", config.response_disk_mb, "VITRINE_RESPONSE_DISK_MB",
           "Temporary files of large responses while they are sent, in MiB", 16, 1'000'000'000);
    number("--answer-cache-mb", config.response_cache_mb, "VITRINE_ANSWER_CACHE_MB",
           "Memory of responses that are sent again, in MiB; 0: none", 0, 1'000'000);
    number("--texture-side", config.texture_side, "VITRINE_TEXTURE_SIDE",
           "Maximum texture side on the render device in pixels; larger ones are scaled down; 0: the "
           "device's default",
           0, 65536);
    number("--submit-seconds", config.submit_seconds, "VITRINE_SUBMIT_SECONDS",
           "Seconds until a submission to the render device counts as hung and the device as lost", 1, 25);
    number("--device-losses", config.device_losses, "VITRINE_DEVICE_LOSSES",
           "Losses after which a render device is disabled (with the last one the server exits); 0: never", 0,
           1'000'000);
    number("--connections", config.net.max_connections, "VITRINE_CONNECTIONS", "Concurrent connections", 1,
           1'000'000);
    number("--connections-per-address", config.net.max_connections_per_address,
           "VITRINE_CONNECTIONS_PER_ADDRESS",
           "Concurrent connections of one address (IPv6: of 64 bits); not of loopback and Unix sockets", 1,
           1'000'000);
    number("--requests", config.net.max_requests_in_flight, "VITRINE_REQUESTS",
           "Concurrent requests; as many more may wait for their bodies", 1, 1'000'000);
    number("--viewers", config.handlers.max_viewers, "VITRINE_VIEWERS", "Concurrent live previews", 1,
           100'000);
    number("--preview-side", config.handlers.max_preview_side, "VITRINE_PREVIEW_SIDE",
           "Maximum side of a live preview in pixels", 64, 4096);
}

void declare_times(CLI::App& app, Config& config)
{
    auto& net = config.net;
    auto seconds = [&](const char* flag, std::chrono::seconds& target, const char* variable, const char* help,
                       std::int64_t most = 3600) {
        auto set = [&target](const std::int64_t& value) { target = std::chrono::seconds(value); };
        app.add_option_function<std::int64_t>(flag, set, help)
            ->envname(variable)
            ->check(CLI::Range(std::int64_t{1}, most))
            ->default_str(std::to_string(target.count()))
            ->group("Limits");
    };
    seconds("--idle-seconds", net.idle_time, "VITRINE_IDLE_SECONDS",
            "Idle time between two requests of a connection");
    seconds("--header-seconds", net.header_time, "VITRINE_HEADER_SECONDS",
            "Time limit for the header of a request");
    seconds("--handshake-seconds", net.handshake_time, "VITRINE_HANDSHAKE_SECONDS",
            "Time limit for a TLS handshake");
    seconds("--body-seconds", net.body_time, "VITRINE_BODY_SECONDS", "Time limit for each 64 KiB of a body");
    seconds("--open-upload-seconds", config.uploads.lifetime, "VITRINE_OPEN_UPLOAD_SECONDS",
            "Time after the last bytes of an upload by tus until it is removed", 366 * 24 * 3600);
    seconds("--answer-seconds", config.handlers.answer_time, "VITRINE_ANSWER_SECONDS",
            "Time limit for an image of several assets and for the answer to a model in the body");
    seconds("--stop-seconds", net.stop_time, "VITRINE_STOP_SECONDS",
            "Time limit for running requests and imports when the server stops");
}

} // namespace vitrine::server
