#include "server/services/storage/shared_derived.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <spdlog/spdlog.h>

#include "server/services/storage/shared_derived_state.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::uint64_t part_count = 16;             // of the store, by the first digit
constexpr std::uint64_t collections_per_limit = 256; // while as much is stored as the limit
constexpr std::uint64_t max_objects_per_limit = 64;  // larger ones are not stored
constexpr std::size_t max_listed = 250'000;          // objects of one part

} // namespace

void SharedDerived::State::note_success()
{
    if (!breaker.succeed()) return;
    metrics.is_available.Set(1);
    spdlog::info("msg=\"the shared store of derived files answers again\"");
}

void SharedDerived::State::note_failure(std::string_view why)
{
    if (stopping || !breaker.fail()) return;
    metrics.is_available.Set(0);
    spdlog::warn("msg=\"the shared store of derived files is not used for a while\" error={:?}", why);
}

// Throws StorageError.
SharedDerived::State::Sent SharedDerived::State::send(const std::string& digest)
{
    const auto path = local.path_of(digest);
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error || size > options.limit_bytes / max_objects_per_limit) return Sent::unusable;
    const auto there = store->find(digest);
    const bool same = there && there->size_bytes == size;
    if (same && there->age < options.refresh_age) return Sent::known;
    if (same)
        store->refresh(digest, path);
    else
        store->put(digest, path);
    stored_bytes += size;
    const std::lock_guard lock(mutex);
    missing.erase(digest);
    return Sent::stored;
}

// On a thread of `storing`.
void SharedDerived::State::send_offered(const std::string& digest)
{
    {
        const std::lock_guard lock(mutex);
        offered.erase(digest);
    }
    if (stopping || !breaker.admit()) {
        metrics.dropped.Increment();
        return;
    }
    try {
        const auto sent = send(digest);
        if (sent == Sent::stored) metrics.stored.Increment();
        if (sent == Sent::known) metrics.known.Increment();
        if (sent == Sent::unusable) metrics.dropped.Increment();
        if (sent != Sent::unusable) note_success();
    } catch (const std::exception& failure) {
        metrics.dropped.Increment();
        note_failure(failure.what());
        return;
    }
    try {
        collect_if_due();
    } catch (const std::exception& failure) {
        note_failure(failure.what());
    }
}

void SharedDerived::State::collect_if_due()
{
    auto bytes = stored_bytes.load();
    if (bytes < options.limit_bytes / collections_per_limit) return;
    if (!stored_bytes.compare_exchange_strong(bytes, 0)) return; // another thread does
    static thread_local std::minstd_rand random{std::random_device{}()};
    collect(digest_digits[std::uniform_int_distribution<std::size_t>(0, digest_digits.size() - 1)(random)]);
}

// Two processes that list the same part remove the same objects: no lock is needed.
void SharedDerived::State::collect(char first_digit)
{
    std::vector<DerivedObject> objects;
    std::uint64_t total = 0;
    store->list(first_digit, [&](DerivedObject object) {
        total += object.size_bytes;
        objects.push_back(std::move(object));
        return !stopping && objects.size() < max_listed;
    });
    const auto limit = options.limit_bytes / part_count;
    const bool is_whole = objects.size() < max_listed;
    if (total > limit || !is_whole) {
        std::ranges::sort(objects, std::greater(), &DerivedObject::age);
        const auto wanted = std::min(limit, total) / 10 * 9;
        for (const auto& object : objects) {
            if (stopping || total <= wanted) break;
            store->remove(object.digest);
            total -= object.size_bytes;
            metrics.removed.Increment();
        }
    }
    metrics.bytes.Set(static_cast<double>(total) * static_cast<double>(part_count));
}

SharedDerived::SharedDerived(std::unique_ptr<DerivedStore> store, const SharedDerivedOptions& options,
                             const SharedDerivedMetrics& metrics, LocalTier local)
    : state_(std::make_unique<State>(std::move(store), options, metrics, std::move(local)))
{
}

SharedDerived::~SharedDerived()
{
    interrupt();
    state_->fetching.stop(); // its tasks offer files
    state_->storing.stop();
}

bool SharedDerived::fetch(const std::string& digest, Ask ask)
{
    const auto flight = state_->begin_fetch(digest, ask);
    return flight && state_->await(flight);
}

void SharedDerived::offer(const std::string& digest)
{
    auto& state = *state_;
    {
        const std::lock_guard lock(state.mutex);
        if (state.stopping || !state.offered.insert(digest).second) return;
    }
    if (state.storing.post([&state, digest] { state.send_offered(digest); })) return;
    state.metrics.dropped.Increment();
    const std::lock_guard lock(state.mutex);
    state.offered.erase(digest);
}

Result<void> SharedDerived::publish(const std::string& digest)
{
    auto& state = *state_;
    const auto unavailable = [](std::string detail) {
        return make_error(Errc::unavailable, "storage_unavailable", std::move(detail));
    };
    if (state.stopping || !state.breaker.admit())
        return unavailable("The shared store of derived files does not answer.");
    try {
        const auto sent = state.send(digest);
        if (sent == State::Sent::unusable)
            return unavailable("The file is too large for the shared store, or gone.");
        (sent == State::Sent::stored ? state.metrics.stored : state.metrics.known).Increment();
        state.note_success();
        return {};
    } catch (const StorageError& error) {
        state.note_failure(error.what());
        spdlog::warn("msg=\"derived file not shared\" error={:?}", std::string_view(error.what()));
        return unavailable("The shared store of derived files does not take the file.");
    }
}

void SharedDerived::collect(char first_digit)
{
    state_->collect(first_digit);
}

const SharedDerivedOptions& SharedDerived::options() const
{
    return state_->options;
}

void SharedDerived::interrupt()
{
    state_->stopping = true;
    state_->store->interrupt();
}

} // namespace vitrine::server
