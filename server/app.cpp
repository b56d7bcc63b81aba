#include "server/app.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include <boost/asio/signal_set.hpp>
#include <prometheus/gauge.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "server/handlers/routes.hpp"
#include "server/loader_options.hpp"
#include "server/logger.hpp"
#include "server/net/listener.hpp"
#include "server/preview/shared_frames.hpp"
#include "server/remote_renders.hpp"
#include "server/routing/dispatcher.hpp"
#include "server/routing/remote_image.hpp"
#include "server/routing/request_rates.hpp"
#include "server/routing/request_watch.hpp"
#include "server/service_manager.hpp"
#include "server/services/database/dialect.hpp"
#include "server/services/services.hpp"
#include "server/util/free_memory.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t pool_queue = 4096;
constexpr std::size_t exports_queue = 128; // half of the requests in flight: the others are not rejected
constexpr int exports_niceness = 10;       // a tenth of the processor time while others need it
constexpr int uploads_niceness = 5;        // a third
constexpr unsigned password_threads = 2, password_queue = 16; // threads of 32 MiB each; tasks
constexpr std::size_t shared_frame_bytes = 64 << 20;

// Raises the soft limit of open descriptors to the hard limit: each connection is a descriptor.
void raise_descriptor_limit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Sets environment variables that Vulkan and Mesa read; called before any thread starts. Variables that are
// set already are kept.
void prepare_drivers(const Config& config)
{
    render::disable_unused_drivers(config.gpu);
    // The home folder may be missing or read-only; without a shader cache, shaders compile for seconds.
    ::setenv("MESA_SHADER_CACHE_DIR", (config.data / "shaders").c_str(), 0); // NOLINT(concurrency-mt-unsafe)
}

GuardConfig guard_config(const Config& config, std::span<const Endpoint> endpoints)
{
    return {.loopback = std::ranges::all_of(endpoints, &Endpoint::is_loopback),
            .token = config.token,
            .proxies = TrustedProxies::parse(config.trusted_proxies).value(), // of finish_config()
            .hosts = config.hosts,
            .origins = config.origins};
}

// What the TCP addresses share if they speak TLS. `log` outlives it.
struct Tls {
    Tls(const TlsFiles& files, prometheus::Registry& registry, const std::shared_ptr<spdlog::logger>& log)
        : certificates(files,
                       [log](TlsCertificates::Severity severity, const std::string& text) {
                           log->log(level_of(severity), "msg={:?}", text);
                       }),
          handshakes(registry, [log](const std::string& text) { log->info(text); })
    {
    }
    static spdlog::level::level_enum level_of(TlsCertificates::Severity severity)
    {
        if (severity == TlsCertificates::Severity::error) return spdlog::level::err;
        return severity == TlsCertificates::Severity::warning ? spdlog::level::warn : spdlog::level::info;
    }

    TlsCertificates certificates;
    TlsHandshakes handshakes;
    TlsServer server{certificates, handshakes};
};

// The members of the server in order of dependency; destroyed in reverse.
class App {
public:
    App(const Config& config, std::span<const Endpoint> endpoints)
        : config_(config), log_(make_logger(config.log_level, config.log_format, registry_)),
          io_(config.io_threads), signals_(io_.context(0), SIGTERM, SIGINT), hangup_(io_.context(0)),
          preview_frames_(shared_frame_bytes, registry_), catalog_pool_(config.catalog_threads, pool_queue),
          scenes_pool_(config.scene_threads, pool_queue),
          exports_pool_(config.export_threads, exports_queue, exports_niceness),
          responses_(config.data / "tmp", config.handlers.responses, registry_),
          request_watch_(config.handlers.answer_time, registry_),
          services_(services_config(config, [this] { stop_without_devices(); }), registry_),
          links_(make_links(config, io_.context(0).get_executor(), services_, registry_)),
          context_{.services = services_,
                   .registry = registry_,
                   .catalog_pool = catalog_pool_,
                   .scenes_pool = scenes_pool_,
                   .exports_pool = exports_pool_,
                   .uploads_pool = uploads_pool_,
                   .preview_pool = preview_pool_,
                   .passwords_pool = passwords_pool_,
                   .sign_on_pool = sign_on_pool_,
                   .preview_frames = preview_frames_,
                   .responses = responses_,
                   .response_cache = response_cache_,
                   .request_watch = request_watch_,
                   .image_waits = image_waits_,
                   .limits = config.handlers,
                   .data = config.data,
                   .blob_folder = config.blob_folder.empty() ? config.data : config.blob_folder,
                   .web = config.role == ProcessRole::worker ? std::filesystem::path() : config.web,
                   .stopping = stopping_,
                   .viewers = viewers_,
                   .links = links_.get(),
                   .link_secret = config.link_secret,
                   .cookies = cookie_names_of(config.token)},
          dispatcher_(context_, {all_routes(), page_route()},
                      Guard(guard_config(config, endpoints), &services_.tokens),
                      config.net.max_requests_in_flight, [this](const LogLine& line) { log_line(line); }),
          tls_(config.tls.certificate.empty() ? nullptr : std::make_unique<Tls>(config.tls, registry_, log_)),
          listener_(io_, endpoints, dispatcher_, config.net, catalog_pool_, tls_ ? &tls_->server : nullptr)
    {
    }

    ~App() { stop_services(); }

    void run(const AppHooks& hooks)
    {
        context_.rates = &rates_;
        services_.start();
        signals_.async_wait([this](boost::system::error_code cancelled, int) {
            if (!cancelled) stop();
        });
        if (tls_) {
            hangup_.add(SIGHUP);
            reload_on_hangup();
        }
        listener_.start();
        const auto endpoints = listener_.endpoints();
        join(endpoints);
        if (!worker::kernel_supports_seccomp())
            log_->warn(
                "msg=\"the kernel does not support system call filters; see SECURITY.md\" loader_filter={}",
                to_word(config_.loader.filter));
        for (const auto& endpoint : endpoints)
            log_->info("msg=\"listening\" url={} data={}", endpoint.url(), config_.data.string());
        hooks.ready(endpoints);
        service_manager_.ready("listening on " + endpoints.front().url());
        if (config_.samples && config_.role == ProcessRole::all)
            scenes_pool_.post([this, &hooks] { add_samples(hooks); });
        io_.run();
        stop_services();
        log_->info("msg=\"stopped\"");
        log_->flush();
        if (all_devices_disabled_)
            throw std::runtime_error("the render device was lost too often; restart the server to try again");
    }

private:
    // Draws for other processes where they can read what it draws.
    void join(std::span<const Endpoint> endpoints)
    {
        const bool is_shared = is_postgres(config_.database) && config_.s3;
        services_.join(
            {.address = advertised_address(config_, endpoints),
             .viewer_slots = static_cast<std::uint32_t>(config_.handlers.max_viewers),
             .draw_slots = is_shared ? config_.scene_threads : 0,
             .viewers = [this] { return viewers_.load(); },
             .answer =
                 [this](const std::string& request) { return answer_remote_render(request, context_); }});
    }

    // SIGHUP: with TLS, the certificate is read again; otherwise the process ends, as usual.
    void reload_on_hangup()
    {
        hangup_.async_wait([this](boost::system::error_code cancelled, int) {
            if (cancelled) return;
            tls_->certificates.request_reload();
            reload_on_hangup();
        });
    }

    // Runs on the scenes pool. A failure to write the samples does not stop the server.
    void add_samples(const AppHooks& hooks)
    {
        auto folder = config_.data / "samples";
        try {
            std::filesystem::remove_all(folder); // left by a process that was killed here
            if (services_.catalog.asset_count() > 0) return;
            hooks.write_samples(folder);
            auto count = import_samples(services_, folder);
            std::filesystem::remove_all(folder);
            log_->info("msg=\"importing the sample library\" assets={}", count);
        } catch (const std::exception& error) {
            log_->warn("msg=\"sample library not created\" error={:?}", std::string_view(error.what()));
        }
    }

    // Called on a render thread, possibly before run(). The memory of hung devices that
    // have no process of their own is freed only when this process ends.
    void stop_without_devices()
    {
        asio::post(io_.context(0), [this] {
            all_devices_disabled_ = true;
            stop();
        });
    }

    // A second signal ends the process with the default action.
    void stop()
    {
        if (stopping_.exchange(true)) return;
        log_->info("msg=\"stopping\" connections={}", listener_.connections());
        service_manager_.stopping();
        signals_.clear();
        hangup_.clear();
        hangup_.cancel();
        signals_.cancel();              // without a signal, its pending wait would keep the server running
        services_.importer.interrupt(); // imports that an upload still queues wait for the next start
        if (links_) links_->stop();     // a viewer's request may wait for a worker that hangs
        listener_.stop([this] { io_.finish(); });
    }

    // Stops the pools before the services that they use. No coroutine runs any more and no client is
    // connected.
    void stop_services()
    {
        services_.interrupt();
        scenes_pool_.stop();
        exports_pool_.stop();
        uploads_pool_.stop();
        catalog_pool_.stop();
        preview_pool_.stop();
        passwords_pool_.stop();
        sign_on_pool_.stop();
        image_waits_.stop();
        services_.stop(config_.net.stop_time);
    }

    void log_line(const LogLine& line)
    {
        // 503 is temporary and expected: before the device is ready, and when queues are full.
        const auto level = line.status == 503   ? spdlog::level::warn
                           : line.status >= 500 ? spdlog::level::err
                                                : spdlog::level::info;
        if (log_->should_log(level)) log_->log(level, spdlog::string_view_t(to_text(line)));
    }

    const Config& config_;
    prometheus::Registry registry_;
    std::shared_ptr<spdlog::logger> log_;
    std::atomic<bool> stopping_ = false;
    std::atomic<bool> all_devices_disabled_ = false;
    std::atomic<std::size_t> viewers_ = 0;
    IoThreads io_;
    asio::signal_set signals_;
    asio::signal_set hangup_;
    SharedFrames preview_frames_;
    WorkPool catalog_pool_;
    WorkPool scenes_pool_;
    WorkPool exports_pool_;
    WorkPool uploads_pool_{config_.upload_threads, pool_queue, uploads_niceness};
    WorkPool preview_pool_{config_.preview_threads, pool_queue};
    WorkPool passwords_pool_{password_threads, password_queue, uploads_niceness};
    WorkPool sign_on_pool_{4, 32}; // each thread waits for an identity provider
    ServiceManager service_manager_{io_.context(0), catalog_pool_};
    ImageWaits image_waits_{config_.role == ProcessRole::api ? ImageWaitLimits{} : no_image_waits};
    ResponseBudget responses_;
    ResponseCache response_cache_{config_.handlers.response_cache_bytes, registry_};
    RequestWatch request_watch_;
    Services services_;
    RequestRates rates_{limits_of_principals(config_).value(), limits_of_addresses(config_).value(),
                        registry_, [this](auto... added) { return services_.rate_counts.add(added...); }};
    std::unique_ptr<LinkPool> links_; // of the role `api`
    FreeMemoryTrimmer memory_;
    Context context_;
    Dispatcher dispatcher_;
    std::unique_ptr<Tls> tls_; // null without TLS
    Listener listener_;
};

} // namespace

void run_server(const Config& config, std::span<const Endpoint> endpoints, const AppHooks& hooks)
{
    raise_descriptor_limit();
    std::signal(SIGPIPE, SIG_IGN); // the reader of our stdout may be gone
    std::signal(SIGXFSZ, SIG_IGN); // a write over the file size limit then fails, and is answered with 507
    prepare_drivers(config);
    App app(config, endpoints);
    app.run(hooks);
}

} // namespace vitrine::server
