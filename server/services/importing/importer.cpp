#include "server/services/importing/importer.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <spdlog/spdlog.h>

#include "server/services/importing/import_run.hpp"
#include "server/util/process_owner.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {
namespace {

constexpr int import_niceness = 5;   // a third of the processor time while requests need it
constexpr int refresh_niceness = 15; // a thirtieth
constexpr std::size_t max_wanted_refreshes = 64;

// Threads of their own, so that no import waits for a refresh that runs.
unsigned count_refreshers(unsigned workers)
{
    return (workers + 3) / 4;
}

} // namespace

struct Importer::State {
    explicit State(const ImportParts& parts_) : parts(parts_) {}

    void work();
    void refresh();
    void heartbeat_loop();
    void renew_leases_once();
    void settle_once();
    std::optional<Lease> claim();
    std::optional<Lease> claim_refresh();
    bool queue_refreshes(bool searches);
    void run(Lease lease);
    bool wait(std::chrono::milliseconds time);
    void wake();

    const ImportParts parts;
    const std::string owner = process_owner();
    std::mutex mutex; // guards the members below
    std::condition_variable changed;
    bool stopping = false;
    std::uint64_t wakes = 0;
    std::vector<std::string> wanted_refreshes;           // ids of assets; at most max_wanted_refreshes
    std::chrono::steady_clock::time_point next_search{}; // for assets to refresh
    std::vector<std::shared_ptr<ImportRun>> active;
    std::vector<std::shared_ptr<ImportRun>> uncommitted; // ended, but the outcome could not be written
    std::vector<std::thread> threads;
    const std::unique_ptr<Signals::Subscription> queued = // last: its calls use the members above
        parts.catalog.signals().subscribe("jobs", [this](std::string_view) { wake(); });
};

// Returns false when the importer stops.
bool Importer::State::wait(std::chrono::milliseconds time)
{
    std::unique_lock lock(mutex);
    return !changed.wait_for(lock, time, [&] { return stopping; });
}

// A job may be due.
void Importer::State::wake()
{
    {
        const std::lock_guard lock(mutex);
        ++wakes;
    }
    changed.notify_all();
}

std::optional<Lease> Importer::State::claim()
{
    try {
        auto lease = parts.catalog.claim_job(owner, parts.options.lease);
        parts.metrics.import_queue.Set(static_cast<double>(parts.catalog.queued_jobs()));
        return lease;
    } catch (const std::exception& error) {
        spdlog::error("msg=\"imports cannot be claimed\" error={:?}", std::string_view(error.what()));
        return std::nullopt;
    }
}

// Queues those that requests wait for and, with `searches`, others. Returns whether jobs were queued.
bool Importer::State::queue_refreshes(bool searches)
{
    std::vector<std::string> wanted;
    {
        std::lock_guard lock(mutex);
        const bool is_due = searches && std::chrono::steady_clock::now() >= next_search;
        if (wanted_refreshes.empty() && !is_due) return false;
        wanted.swap(wanted_refreshes);
    }
    const auto jobs = parts.catalog.queue_refreshes(wanted, parts.options.queued_refreshes);
    if (jobs.empty() && !parts.catalog.has_assets_to_refresh()) { // otherwise enough are queued
        const std::lock_guard lock(mutex);
        next_search = std::chrono::steady_clock::now() + parts.options.refresh_search;
    }
    spdlog::debug("msg=\"looked for models with older facts\" queued={}", jobs.size());
    return !jobs.empty();
}

std::optional<Lease> Importer::State::claim_refresh()
{
    try {
        queue_refreshes(false);
        auto lease = parts.catalog.claim_refresh(owner, parts.options.lease);
        if (!lease && queue_refreshes(true)) lease = parts.catalog.claim_refresh(owner, parts.options.lease);
        return lease;
    } catch (const std::exception& error) {
        spdlog::error("msg=\"refreshes cannot be claimed\" error={:?}", std::string_view(error.what()));
        return std::nullopt;
    }
}

void Importer::State::run(Lease lease)
{
    auto import =
        std::make_shared<ImportRun>(parts, std::move(lease), [this](auto time) { return wait(time); });
    {
        std::lock_guard lock(mutex);
        active.push_back(import);
        if (stopping) import->interrupt();
    }
    bool committed = true;
    try {
        import->run();
    } catch (const std::exception& error) {
        committed = false;
        spdlog::error("msg=\"outcome of a job not stored; trying again\" error={:?}",
                      std::string_view(error.what()));
    }
    std::lock_guard lock(mutex);
    std::erase(active, import);
    if (!committed) uncommitted.push_back(std::move(import));
    changed.notify_all();
}

void Importer::State::work()
{
    lower_priority(import_niceness); // of the loader processes too
    for (;;) {
        std::uint64_t seen_wakes = 0;
        {
            std::lock_guard lock(mutex);
            if (stopping) return;
            seen_wakes = wakes;
        }
        if (auto lease = claim()) {
            run(std::move(*lease));
            continue;
        }
        std::unique_lock lock(mutex);
        changed.wait_for(lock, parts.options.poll, [&] { return stopping || wakes != seen_wakes; });
    }
}

// As work(), of refreshes: those that are due are looked for when the last ones have ended.
void Importer::State::refresh()
{
    lower_priority(refresh_niceness);
    for (;;) {
        auto lease = claim_refresh();
        if (lease) run(std::move(*lease));
        if (!wait(std::chrono::milliseconds(lease ? 0 : parts.options.poll.count()))) return;
    }
}

// Renews the leases of running jobs and queues jobs of dead processes again.
void Importer::State::renew_leases_once()
{
    std::vector<std::shared_ptr<ImportRun>> running;
    {
        std::lock_guard lock(mutex);
        running = active;
    }
    const auto attempt =
        [](const auto& work) { // a lease that cannot be renewed is no reason to lose the others
            try {
                work();
            } catch (const std::exception& error) {
                spdlog::error("msg=\"leases cannot be renewed\" error={:?}", std::string_view(error.what()));
            }
        };
    for (const auto& import : running)
        attempt([&] { import->heartbeat(); });
    attempt([&] { parts.catalog.recover_jobs(is_dead); });
}

// Writes pending outcomes. A run is dropped when its outcome was written or its lease has expired.
void Importer::State::settle_once()
{
    std::vector<std::shared_ptr<ImportRun>> remaining;
    {
        std::lock_guard lock(mutex);
        remaining.swap(uncommitted);
    }
    if (remaining.empty()) return;
    std::size_t settled = 0;
    try {
        for (; settled < remaining.size(); ++settled)
            remaining[settled]->write_outcome();
    } catch (const std::exception&) { // reported at the first failure
    }
    std::lock_guard lock(mutex);
    uncommitted.insert(uncommitted.end(), remaining.begin() + static_cast<std::ptrdiff_t>(settled),
                       remaining.end());
    if (settled == 0) return;
    ++wakes;
    changed.notify_all();
}

void Importer::State::heartbeat_loop()
{
    const auto pause = std::clamp(parts.options.lease / 3, std::chrono::milliseconds(20),
                                  std::chrono::milliseconds(1'000)); // also the delay of a cancellation
    while (wait(pause)) {
        renew_leases_once();
        settle_once();
    }
}

Importer::Importer(Catalog& catalog, SceneStore& scenes, ImageService& images, Metrics& metrics,
                   const ImporterOptions& options)
    : state_(std::make_unique<State>(ImportParts{catalog, scenes, images, metrics, options}))
{
}

Importer::~Importer()
{
    stop(std::chrono::milliseconds(0));
}

void Importer::start()
{
    const auto recovered = state_->parts.catalog.recover_jobs(is_dead);
    if (recovered > 0) spdlog::info("msg=\"interrupted jobs are queued again\" count={}", recovered);
    for (unsigned i = 0; i < state_->parts.options.workers; ++i)
        state_->threads.emplace_back([state = state_.get()] { state->work(); });
    for (unsigned i = 0; i < count_refreshers(state_->parts.options.workers); ++i)
        state_->threads.emplace_back([state = state_.get()] { state->refresh(); });
    state_->threads.emplace_back([state = state_.get()] { state->heartbeat_loop(); });
}

std::size_t Importer::running() const
{
    std::lock_guard lock(state_->mutex);
    return state_->active.size();
}

void Importer::prefer_refresh(const std::string& asset)
{
    std::lock_guard lock(state_->mutex);
    auto& wanted = state_->wanted_refreshes;
    if (wanted.size() < max_wanted_refreshes && std::ranges::find(wanted, asset) == wanted.end())
        wanted.push_back(asset);
}

void Importer::interrupt()
{
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
        for (const auto& import : state_->active)
            import->interrupt();
    }
    state_->changed.notify_all();
}

void Importer::stop(std::chrono::milliseconds deadline)
{
    auto& state = *state_;
    interrupt();
    std::vector<std::shared_ptr<ImportRun>> remaining;
    {
        std::unique_lock lock(state.mutex);
        state.changed.wait_for(lock, deadline, [&] { return state.active.empty(); });
        remaining = state.active;
    }
    try {
        for (const auto& import : remaining)
            import->release();
    } catch (const std::exception& error) {
        spdlog::error("msg=\"import not returned to the queue; its lease will expire\" error={:?}",
                      std::string_view(error.what()));
    }
    for (auto& thread : state.threads)
        thread.join();
    state.threads.clear();
}

} // namespace vitrine::server
