#include "server/net/transport/tls_certificates.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace vitrine::server {
namespace {

std::shared_ptr<const TlsContext> load_or_throw(const TlsFiles& files)
{
    auto loaded = TlsContext::load(files);
    if (!loaded) throw std::runtime_error(loaded.error());
    return *std::move(loaded);
}

using Clock = std::chrono::steady_clock;

constexpr auto max_age = std::chrono::days(1); // of a context, and thus of the keys of its tickets
constexpr int intervals_to_retry = 30;

} // namespace

TlsCertificates::TlsCertificates(TlsFiles files, Log log, std::chrono::milliseconds interval)
    : files_(std::move(files)), log_(std::move(log)), interval_(interval), loaded_(look()), seen_(loaded_),
      reload_at_(Clock::now() + max_age), current_(load_or_throw(files_)),
      thread_([this](const std::stop_token& stop) { watch(stop); })
{
}

TlsCertificates::~TlsCertificates()
{
    thread_.request_stop();
    thread_.join();
}

std::shared_ptr<const TlsContext> TlsCertificates::current() const
{
    const std::scoped_lock lock(mutex_);
    return current_;
}

void TlsCertificates::request_reload()
{
    const std::scoped_lock lock(mutex_);
    is_requested_ = true;
    wake_.notify_all();
}

TlsCertificates::Stamps TlsCertificates::look() const
{
    const auto stamp = [](const std::filesystem::path& file) -> FileStamp {
        struct stat status{};
        if (::stat(file.c_str(), &status) != 0) return {};
        return {.device = status.st_dev,
                .inode = status.st_ino,
                .size = static_cast<std::uint64_t>(status.st_size),
                .changed_s = status.st_mtim.tv_sec,
                .changed_ns = status.st_mtim.tv_nsec};
    };
    return {stamp(files_.certificate), stamp(files_.key)};
}

void TlsCertificates::watch(const std::stop_token& stop)
{
    report_expiry();
    while (!stop.stop_requested()) {
        bool requested = false;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, stop, interval_, [this] { return is_requested_; });
            requested = std::exchange(is_requested_, false);
        }
        if (stop.stop_requested()) return;
        const auto before = std::exchange(seen_, look());
        if (requested || (seen_ != loaded_ && seen_ == before) || Clock::now() >= reload_at_) reload();
        report_expiry();
        ++looks_;
    }
}

void TlsCertificates::reload()
{
    loaded_ = look();
    auto loaded = TlsContext::load(files_);
    if (loaded && (*loaded)->days_left().count() < 0 && current()->days_left().count() >= 0)
        loaded =
            std::unexpected("--tls-cert " + files_.certificate.string() + " " + (*loaded)->expiry_text());
    if (!loaded) return report_failure(loaded.error());
    failure_.clear();
    reload_at_ = Clock::now() + max_age;
    {
        const std::scoped_lock lock(mutex_);
        current_ = *loaded;
    }
    reported_ = {};
    log_(Severity::info, fmt::format("new TLS connections get the certificate {} that {}",
                                     (*loaded)->subject(), (*loaded)->expiry_text()));
}

// Once for each reason.
void TlsCertificates::report_failure(std::string why)
{
    reload_at_ = Clock::now() + intervals_to_retry * interval_;
    if (why == failure_) return;
    failure_ = std::move(why);
    log_(Severity::error,
         fmt::format("the TLS certificate was not replaced, the old one stays in use: {}", failure_));
}

void TlsCertificates::report_expiry()
{
    const auto context = current();
    const auto now = std::chrono::steady_clock::now();
    const bool is_reported =
        reported_ != std::chrono::steady_clock::time_point{} && now - reported_ < std::chrono::days(1);
    if (is_reported || context->days_left() >= short_tls_expiry) return;
    reported_ = now;
    log_(Severity::warning, "the TLS certificate " + context->expiry_text());
}

} // namespace vitrine::server
