// Objects of the shared store to local files.
#include <optional>
#include <utility>

#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/services/storage/shared_derived_state.hpp"
#include "server/util/files.hpp"
#include "server/util/ids.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::size_t max_missing = 65'536;                  // remembered digests
constexpr std::chrono::milliseconds max_fetch_time{120'000}; // also when nobody waits any more

} // namespace

// Requires the mutex.
bool SharedDerived::State::is_remembered_missing(const std::string& digest)
{
    const auto found = missing.find(digest);
    if (found == missing.end()) return false;
    if (Clock::now() < found->second) return true;
    missing.erase(found);
    return false;
}

void SharedDerived::State::remember_missing(const std::string& digest)
{
    const std::lock_guard lock(mutex);
    const auto now = Clock::now();
    if (missing.size() >= max_missing) std::erase_if(missing, [&](const auto& m) { return m.second <= now; });
    if (missing.size() >= max_missing) missing.clear();
    missing[digest] = now + options.missing_time;
}

// Null: the answer is known without the store.
SharedDerived::State::Flight SharedDerived::State::begin_fetch(const std::string& digest, Ask ask)
{
    const std::lock_guard lock(mutex);
    if (stopping || (ask == Ask::once && is_remembered_missing(digest))) return nullptr;
    if (const auto found = fetches.find(digest); found != fetches.end()) return found->second;
    if (!breaker.admit()) return nullptr;
    auto flight = std::make_shared<FetchState>(FetchState::waiting);
    if (!fetching.post([this, digest, flight] { run_fetch(digest, flight); })) {
        metrics.unanswered.Increment();
        return nullptr;
    }
    fetches.emplace(digest, flight);
    return flight;
}

void SharedDerived::State::set(const Flight& flight, FetchState state)
{
    const std::lock_guard lock(mutex);
    *flight = state;
    changed.notify_all();
}

bool SharedDerived::State::await(const Flight& flight)
{
    const auto begun = Clock::now();
    const auto stop = thread_stop_token();
    std::unique_lock lock(mutex);
    changed.wait_until(lock, stop, begun + options.answer_wait, [&] { return *flight > FetchState::late; });
    if (*flight <= FetchState::late) {
        if (stop.stop_requested()) return false;
        if (std::exchange(*flight, FetchState::late) == FetchState::asked) note_failure("no answer in time");
        metrics.unanswered.Increment();
        return false;
    }
    const auto ended = [&] { return *flight > FetchState::receiving; };
    return changed.wait_until(lock, stop, begun + options.transfer_wait, ended) &&
           *flight == FetchState::found;
}

// On a thread of `fetching`. Continues when nobody waits any more: the next request finds the file.
void SharedDerived::State::run_fetch(const std::string& digest, const Flight& flight)
{
    bool found = false;
    set(flight, FetchState::asked);
    try {
        found = !stopping && receive(digest, flight);
    } catch (const std::exception& error) { // of the local disk
        spdlog::warn("msg=\"shared derived file not kept\" error={:?}", std::string_view(error.what()));
    }
    const std::lock_guard lock(mutex);
    fetches.erase(digest);
    *flight = found ? FetchState::found : FetchState::absent;
    if (found) missing.erase(digest);
    changed.notify_all();
}

// Whether the store has the object, which is in the file then; empty: no answer, or too late.
std::optional<bool> SharedDerived::State::copy(const std::string& digest, const Flight& flight,
                                               const fs::path& to)
{
    std::optional<OpenFile> file; // made for the first bytes: most objects that are asked for are not there
    const auto until = Clock::now() + max_fetch_time;
    bool writing = false; // what is thrown then is of the local disk
    try {
        const bool there = store->get(digest, [&](std::span<const std::byte> bytes) {
            set(flight, FetchState::receiving);
            if (Clock::now() > until)
                throw StorageError(StorageError::Kind::unavailable, "a shared derived file takes too long");
            writing = true;
            if (!file) {
                make_folders(to.parent_path()); // each time, because it may be deleted at any time
                file = OpenFile::create(to);
            }
            file->write(bytes, to);
            writing = false;
        });
        note_success();
        return there;
    } catch (const StorageError& error) {
        if (writing) throw;
        note_failure(error.what());
        return std::nullopt;
    }
}

// Returns whether the local tier has the file. Throws StorageError of the local disk.
bool SharedDerived::State::receive(const std::string& digest, const Flight& flight)
{
    const auto temporary = local.path_of(digest).parent_path() / (new_id("derived") + ".part");
    struct Remover {
        const fs::path& path;
        ~Remover()
        {
            std::error_code ignored;
            fs::remove(path, ignored);
        }
    } const remover{temporary};
    const auto there = copy(digest, flight, temporary);
    if (!there) {
        metrics.unanswered.Increment();
        return false;
    }
    if (!*there) {
        metrics.missing.Increment();
        remember_missing(digest);
        return false;
    }
    if (local.adopt(digest, temporary)) {
        metrics.found.Increment();
        return true;
    }
    metrics.damaged.Increment();
    spdlog::warn("msg=\"damaged shared derived file; it is made again\" digest={}", digest);
    store->remove(digest);
    return false;
}

} // namespace vitrine::server
