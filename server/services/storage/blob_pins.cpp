#include "server/services/storage/blob_pins.hpp"

#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace vitrine::server {

struct BlobPins::State {
    std::mutex mutex; // guards the members below
    std::condition_variable_any changed;
    std::condition_variable removal_ended;
    std::unordered_map<std::string, std::size_t> counts;
    std::unordered_set<std::string> removing;
    std::vector<std::string> released;

    void wait_for_removal(std::unique_lock<std::mutex>& lock, const std::string& hash)
    {
        removal_ended.wait(lock, [&] { return !removing.contains(hash); });
    }
    void end_removal(const std::string& hash)
    {
        const std::lock_guard lock(mutex);
        removing.erase(hash);
        removal_ended.notify_all();
    }

    void unpin(const std::string& hash)
    {
        const std::lock_guard lock(mutex);
        if (--counts[hash] > 0) return;
        counts.erase(hash);
        released.push_back(hash);
        changed.notify_all();
    }
};

BlobPins::BlobPins() : state_(std::make_shared<State>()) {}

std::shared_ptr<const void> BlobPins::take(const std::string& hash)
{
    {
        std::unique_lock lock(state_->mutex);
        state_->wait_for_removal(lock, hash);
        ++state_->counts[hash];
    }
    // The pointer is only a token; its deleter keeps the state alive and removes the pin.
    return {state_.get(), [state = state_, hash](const void*) { state->unpin(hash); }};
}

void BlobPins::run_if_unpinned(const std::string& hash, const std::function<void()>& work)
{
    {
        std::unique_lock lock(state_->mutex);
        state_->wait_for_removal(lock, hash);
        if (state_->counts.contains(hash)) return;
        state_->removing.insert(hash);
    }
    struct Removal { // also ends when `work` throws
        State& state;
        const std::string& hash;
        Removal(State& owner, const std::string& of) : state(owner), hash(of) {}
        ~Removal() { state.end_removal(hash); }
        Removal(const Removal&) = delete;
        Removal& operator=(const Removal&) = delete;
    };
    const Removal removal(*state_, hash); // the work may be a query of a database: other blobs do not wait
    work();
}

void BlobPins::release(std::span<const std::string> hashes)
{
    const std::lock_guard lock(state_->mutex);
    for (const auto& hash : hashes)
        if (!state_->counts.contains(hash)) state_->released.push_back(hash);
    state_->changed.notify_all();
}

std::vector<std::string> BlobPins::wait_for_unpinned(const std::stop_token& stop)
{
    std::unique_lock lock(state_->mutex);
    if (!state_->changed.wait(lock, stop, [&] { return !state_->released.empty(); })) return {};
    return std::exchange(state_->released, {});
}

} // namespace vitrine::server
