#include "server/services/libraries/library_scanner.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "loaders/base/stop.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/libraries/library_scan.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

namespace {

constexpr auto renew_interval = 5s;
constexpr auto look_interval = 5s; // without a signal
constexpr auto settle_time = 1s;   // after a change
constexpr int rest_share = 4;      // of the last scan's duration: changes do not keep the disk busy
constexpr std::int64_t delayed_pause_s = 15;
constexpr auto failure_pause = 10s; // after a failure of the database

// Wakes a poll(); any thread.
class WakeEvent {
public:
    WakeEvent() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
    ~WakeEvent() { ::close(descriptor_); }
    WakeEvent(const WakeEvent&) = delete;
    WakeEvent& operator=(const WakeEvent&) = delete;
    int descriptor() const { return descriptor_; }
    void set() const
    {
        const std::uint64_t one = 1;
        static_cast<void>(::write(descriptor_, &one, sizeof(one)));
    }

private:
    int descriptor_;
};

// Renews the claim now and then. False: it is lost, or a stop was requested.
ScanGoesOn renew_while(const LibraryTable& table, const LibraryClaim& claim, const std::stop_token& stop)
{
    return [&table, &claim, stop, renewed = std::chrono::steady_clock::now(),
            is_held = true](std::int64_t waiting) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (is_held && now - renewed >= renew_interval) {
            is_held = table.renew(claim, waiting);
            renewed = now;
        }
        return is_held && !stop.stop_requested();
    };
}

std::string problem_of(const FileScan& scan, const LibraryAssets& assets)
{
    if (!scan.problem.empty()) return scan.problem;
    if (assets.failed() > 0)
        return fmt::format("{} models or folders could not become assets; the log says why.",
                           assets.failed());
    return {};
}

} // namespace

LibraryScanner::LibraryScanner(Catalog& catalog, Ingest& ingest, BlobStore& blobs, LibraryOptions options)
    : catalog_(catalog), ingest_(ingest), blobs_(blobs), options_(std::move(options)),
      table_(catalog.connections())
{
}

void LibraryScanner::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void LibraryScanner::interrupt()
{
    thread_.request_stop();
}

void LibraryScanner::stop()
{
    thread_ = {};
}

void LibraryScanner::work(const std::stop_token& stop)
{
    const WakeEvent wake;
    const auto subscription =
        catalog_.signals().subscribe(libraries_topic, [&](std::string_view) { wake.set(); });
    const std::stop_callback on_stop(stop, [&] { wake.set(); });
    while (!stop.stop_requested()) {
        try {
            request_changed();
            while (!stop.stop_requested() && scan_next(stop))
                request_changed();
        } catch (const std::exception& error) {
            spdlog::warn("msg=\"libraries not scanned\" error={:?}", std::string_view(error.what()));
            std::array<pollfd, 1> ends{{{wake.descriptor(), POLLIN, 0}}};
            if (!stop.stop_requested())
                ::poll(ends.data(), ends.size(),
                       static_cast<int>(std::chrono::milliseconds(failure_pause).count()));
        }
        if (!stop.stop_requested()) wait(wake.descriptor());
    }
}

void LibraryScanner::wait(int wake)
{
    auto until = ScanClock::now() + look_interval;
    for (const auto& [library, time] : due_)
        until = std::min<ScanClock::time_point>(until, time);
    const auto pause = std::chrono::ceil<std::chrono::milliseconds>(until - ScanClock::now()).count();
    std::array<pollfd, 2> ends{{{wake, POLLIN, 0}, {watch_.descriptor(), POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), static_cast<int>(std::max<long>(pause, 0)));
    std::uint64_t count = 0;
    static_cast<void>(::read(wake, &count, sizeof(count)));
    for (const auto& library : watch_.read())
        scan_after(library, settle_time);
}

void LibraryScanner::scan_after(const std::string& library, ScanClock::duration pause)
{
    const auto rest = rest_.find(library);
    const auto earliest = ScanClock::now() + pause;
    due_.try_emplace(library, rest == rest_.end() ? earliest : std::max(earliest, rest->second));
}

void LibraryScanner::request_changed()
{
    for (auto at = due_.begin(); at != due_.end();) {
        if (at->second > ScanClock::now()) {
            ++at;
            continue;
        }
        if (!table_.request_scan(at->first)) watch_.forget(at->first); // it was removed or paused
        at = due_.erase(at);
    }
}

bool LibraryScanner::scan_next(const std::stop_token& stop)
{
    const auto claim = table_.claim(options_);
    if (!claim) return false;
    const AuditScope actor({.principal = "server"});
    const StopScope scope(stop); // what the loader process finds after a stop is not used
    try {
        if (claim->library.state == LibraryState::removing)
            remove(*claim, stop);
        else
            scan(*claim, stop);
    } catch (const Stopped&) {
        table_.release(*claim);
    }
    return true;
}

void LibraryScanner::scan(const LibraryClaim& claim, const std::stop_token& stop)
{
    const auto begin = ScanClock::now();
    const auto& library = claim.library;
    const auto goes_on = renew_while(table_, claim, stop);
    const LibraryIndex index(catalog_.connections(), library.id);
    LibraryAssets assets(catalog_, ingest_, blobs_, index);
    const auto found = scan_files(library, index, goes_on);
    if (found.is_interrupted || !assets.update(goes_on)) return table_.release(claim);
    const bool is_watched = found.state == LibraryState::ready && watch(library, found.folders);
    if (found.unfinished > 0) scan_after(library.id, std::chrono::milliseconds(settle_ms));
    const auto duration = ScanClock::now() - begin;
    rest_[library.id] = ScanClock::now() + duration * rest_share;
    const auto counts = index.counts();
    table_.finish(claim,
                  {.state = found.state,
                   .problem = problem_of(found, assets),
                   .duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count(),
                   .files = counts.files,
                   .models = counts.models,
                   .skipped = found.skipped,
                   .pause_s = assets.has_delayed() ? delayed_pause_s
                              : is_watched         ? options_.watched_poll_s
                                                   : options_.poll_s});
}

// Its folders stay watched; what has changed between the scan and the first watch is found by another scan.
bool LibraryScanner::watch(const Library& library, const std::vector<std::string>& folders)
{
    if (!is_local_folder(library.path)) return false;
    const auto watched = watch_.watch(library.id, library.path, folders);
    if (watched.is_new) scan_after(library.id, settle_time);
    return watched.is_complete;
}

void LibraryScanner::remove(const LibraryClaim& claim, const std::stop_token& stop)
{
    const LibraryIndex index(catalog_.connections(), claim.library.id);
    index.mark_all_gone();
    watch_.forget(claim.library.id);
    if (LibraryAssets(catalog_, ingest_, blobs_, index).update(renew_while(table_, claim, stop)))
        table_.forget(claim);
    else
        table_.release(claim);
}

} // namespace vitrine::server
