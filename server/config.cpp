#include "server/config.hpp"

#include <algorithm>
#include <cstdlib>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/ranges.h>

#include "api/json_text.hpp"
#include "loaders/io/limits.hpp"
#include "server/check_options.hpp"
#include "server/config_file.hpp"
#include "server/config_numbers.hpp"
#include "server/database_options.hpp"
#include "server/loader_options.hpp"
#include "server/services/database/dialect.hpp"
#include "server/util/files.hpp"
#include "server/util/token_file.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

json::object limits_json(const Limits& limits)
{
    json::object object;
    for (const auto& limit : io::named_limits())
        object[limit.name] = io::value_of(limits, limit);
    return object;
}

std::string environment(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): before any thread
    return value ? value : "";
}

// Installed: PREFIX/bin beside PREFIX/share/vitrine/web. Built: build/PRESET/bin in the source tree.
fs::path find_web()
{
    std::error_code error;
    auto bin = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {"../share/vitrine/web", "web", "../../../web_client/dist"}) {
        auto folder = (bin / place).lexically_normal();
        if (fs::is_regular_file(folder / "index.html", error)) return folder;
    }
    return {};
}

// Returns what is wrong with --gpu; empty if a device matches it.
std::string wrong_gpu(const std::string& gpu)
{
    if (gpu == "auto" || gpu == "software") return {}; // the server also runs without a device
    try {
        render::choose_devices(gpu);
        return {};
    } catch (const std::exception& error) {
        return "--gpu " + gpu + ": " + error.what() +
               "; use auto, gpu, software, an index, a PCI address, a UUID, part of a name, or several of "
               "these separated by commas";
    }
}

// Where the token comes from, never the token.
std::string_view token_word(const Config& config)
{
    return config.open ? "none" : config.token.empty() ? "data directory" : "set";
}

json::object threads_json(const Config& config)
{
    return {{"io", config.io_threads},          {"catalog", config.catalog_threads},
            {"scenes", config.scene_threads},   {"exports", config.export_threads},
            {"uploads", config.upload_threads}, {"preview", config.preview_threads}};
}

json::object render_json(const Config& config)
{
    return {{"process", render_process_word(config)},
            {"gpuMemory", config.gpu_memory},
            {"textureSide", config.texture_side},
            {"submitSeconds", config.submit_seconds},
            {"deviceLosses", config.device_losses}};
}

json::object net_json(const Config& config)
{
    return {{"connections", config.net.max_connections},
            {"connectionsPerAddress", config.net.max_connections_per_address},
            {"requests", config.net.max_requests_in_flight},
            {"headerBytes", config.net.max_header_bytes},
            {"rateLimits", rates_json(limits_of_principals(config))},
            {"addressRateLimits", rates_json(limits_of_addresses(config))},
            {"handshakes", config.net.max_handshakes},
            {"handshakeSeconds", config.net.handshake_time.count()},
            {"hstsSeconds", config.net.hsts_seconds},
            {"linkSecretFile", config.link_secret_file.string()},
            {"linkCa", config.link_ca.string()},
            {"idleSeconds", config.net.idle_time.count()},
            {"headerSeconds", config.net.header_time.count()},
            {"bodySeconds", config.net.body_time.count()},
            {"answerSeconds", config.handlers.answer_time.count()},
            {"stopSeconds", config.net.stop_time.count()},
            {"responseMemoryMb", config.response_memory_mb},
            {"responseDiskMb", config.response_disk_mb},
            {"answerCacheMb", config.response_cache_mb}};
}

std::string_view s3_credentials_word(const S3Settings& s3) // where the keys come from, never the keys
{
    if (!is_s3_location(s3.location)) return "none";
    return s3.credentials.empty() ? "environment" : "file";
}

json::object storage_json(const Config& config)
{
    const auto& s3 = config.blobs.s3;
    return {{"derivedMb", config.derived_mb},
            {"derived", config.blobs.derived},
            {"sharedDerivedMb", config.blobs.shared_derived_mb},
            {"scenesMb", config.scenes_mb},
            {"uploadMb", config.upload_mb},
            {"openUploads", config.uploads.max_uploads},
            {"auditDays", config.audit_days},
            {"openUploadMb", config.open_upload_mb},
            {"openUploadSeconds", config.uploads.lifetime.count()},
            {"postedMb", config.posted_mb},
            {"quotaBytes", config.quota_bytes},
            {"userQuotaBytes", config.user_quota_bytes},
            {"trashDays", config.trash_days},
            {"minFreeMb", config.min_free_mb},
            {"blobs", s3.location},
            {"s3Endpoint", config.s3 ? config.s3->store.url() : s3.endpoint},
            {"s3Region", config.s3 ? config.s3->store.region : s3.region},
            {"s3Addressing", s3.addressing},
            {"s3Credentials", s3_credentials_word(s3)},
            {"s3Ca", s3.ca.string()},
            {"s3DeadlineSeconds", config.blobs.deadline_seconds},
            {"blobCacheMb", config.blobs.cache_mb},
            {"blobGraceHours", config.blobs.grace_hours},
            {"blobRedirectSeconds", config.blobs.redirect_seconds}};
}

} // namespace

fs::path default_data()
{
    if (auto xdg = environment("XDG_DATA_HOME"); !xdg.empty()) return fs::path(xdg) / "vitrine";
    if (auto home = environment("HOME"); !home.empty()) return fs::path(home) / ".local/share/vitrine";
    return "vitrine-data";
}

void declare_config(CLI::App& app, Config& config)
{
    declare_config_file(app, config.file);
    declare_role(app, config);
    declare_listening(app, config);
    app.add_option("--data", config.data, "Data folder; default: ~/.local/share/vitrine")
        ->envname("VITRINE_DATA");
    declare_database(app, config.database);
    declare_blobs(app, config.blobs);
    app.add_option("--gpu", config.gpu,
                   "auto (every GPU of the best kind, or software), gpu (no software), software, or devices "
                   "of `vitrine doctor` by index, PCI address, UUID or part of a name (that contains a "
                   "letter), separated by commas")
        ->envname("VITRINE_GPU")
        ->capture_default_str();
    app.add_option("--gpu-memory", config.gpu_memory,
                   "Limit of graphics memory (512M, 2G); 0: what the device can give")
        ->envname("VITRINE_GPU_MEMORY")
        ->capture_default_str()
        ->transform(CLI::AsSizeValue(false));
    declare_render_process(app, config.render_process);
    app.add_option("--web", config.web,
                   "Folder of the built web client; default: the one installed with the program")
        ->envname("VITRINE_WEB");
    app.add_option("--loader", config.loader.program,
                   "The vitrine-loader program; default: the one in the folder of vitrine")
        ->envname("VITRINE_LOADER");
    app.add_flag("--samples,!--no-samples", config.samples, "Import the sample library on the first start")
        ->envname("VITRINE_SAMPLES");
    declare_access(app, config);
    declare_oidc(app, config);
    declare_embedder(app, config);
    declare_logging(app, config);
    app.add_flag("--print-config", config.print, "Print the configuration as JSON and exit");
    declare_threads(app, config);
    declare_limits(app, config);
    declare_loading(app, config.loader);
    declare_check_gate(app, config.check_profile, config.check_gate);
    declare_times(app, config);
}

std::expected<std::vector<Endpoint>, std::string> finish_config(Config& config)
{
    auto endpoints = finish_listening(config);
    if (!endpoints) return endpoints;
    for (const auto& wrong : {wrong_access(config, *endpoints), wrong_role(config, *endpoints)})
        if (!wrong.empty()) return std::unexpected(wrong);
    if (config.data.empty()) config.data = default_data();
    auto database = database_location(config.database);
    if (!database) return std::unexpected(database.error());
    config.database = *std::move(database);
    if (config.web.empty())
        config.web = find_web();
    else if (!fs::is_regular_file(config.web / "index.html"))
        return std::unexpected("--web " + config.web.string() + " contains no index.html");
    if (auto wrong = wrong_gpu(config.gpu); !wrong.empty()) return std::unexpected(wrong);
    auto gate = load_check_gate(config.check_profile, config.check_gate);
    if (!gate) return std::unexpected("--check-profile: " + gate.error());
    config.gate = *std::move(gate);
    auto blobs = make_blobs_config(config.blobs);
    if (!blobs) return std::unexpected(blobs.error());
    config.s3 = *std::move(blobs);
    if (auto folder = blob_folder(config.blobs.s3.location);
        folder && whole_path(*folder) != whole_path(config.data))
        config.blob_folder = whole_path(*folder);
    auto derived = make_shared_derived(config.blobs, config.data);
    if (!derived) return std::unexpected(derived.error());
    config.shared_derived = *std::move(derived);
    config.handlers.max_upload_bytes = config.upload_mb << 20;
    config.uploads.max_bytes = config.open_upload_mb << 20;
    config.handlers.min_free_bytes = config.min_free_mb << 20;
    config.handlers.response_cache_bytes = config.response_cache_mb << 20;
    config.handlers.responses = {.memory_bytes = config.response_memory_mb << 20,
                                 .disk_bytes = config.response_disk_mb << 20};
    if (!config.open && !config.print && config.token.empty())
        config.token = load_or_create_token(config.data);
    for (auto* const finish : {finish_links, finish_oidc, finish_embedder})
        if (auto wrong = finish(config); !wrong.empty()) return std::unexpected(wrong);
    return endpoints;
}

std::string print_config(const Config& config)
{
    json::object object{
        {"config", config.file.string()},
        {"role", to_word(config.role)},
        {"advertise", config.advertise},
        {"listen", fmt::format("{}", fmt::join(config.listen, ","))},
        {"socketMode", config.socket_mode},
        {"tls", json::object{{"cert", config.tls.certificate.string()}, {"key", config.tls.key.string()}}},
        {"data", config.data.string()},
        {"database", printable_location(config.database)},
        {"gpu", config.gpu},
        {"web", config.web.string()},
        {"samples", config.samples},
        {"token", token_word(config)},
        {"trustedProxies", json::array(config.trusted_proxies.begin(), config.trusted_proxies.end())},
        {"hosts", json::array(config.hosts.begin(), config.hosts.end())},
        {"origins", json::array(config.origins.begin(), config.origins.end())},
        {"log", config.log_level},
        {"logFormat", config.log_format == LogFormat::json ? "json" : "text"},
        {"check", json::object{{"profile", config.check_profile}, {"gate", config.check_gate}}}};
    object["threads"] = threads_json(config);
    object["import"] = {{"workers", config.import_workers},
                        {"loadSeconds", config.loader.deadline.count() / 1000},
                        {"loadMemoryMb", config.loader.memory_bytes >> 20},
                        {"loaderFilter", to_word(config.loader.filter)},
                        {"limits", limits_json(config.loader.limits)}};
    object["storage"] = storage_json(config);
    object["render"] = render_json(config);
    object["net"] = net_json(config);
    object["oidc"] = oidc_json(config);
    object["embedder"] = embedder_json(config);
    object["webhooks"] = webhooks_json(config);
    object["libraries"] = libraries_json(config);
    object["preview"] = {{"viewers", config.handlers.max_viewers},
                         {"side", config.handlers.max_preview_side}};
    return api::to_pretty_text(object);
}

} // namespace vitrine::server
