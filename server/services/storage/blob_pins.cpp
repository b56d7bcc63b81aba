#include "server/services/storage/blob_pins.hpp"

#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace vitrine::server {

struct BlobPins::State {
    std::mutex mutex; // guards the members below
    std::condition_variable_any changed;
    std::unordered_map<std::string, std::size_t> counts;
    std::vector<std::string> released;

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
        const std::lock_guard lock(state_->mutex);
        ++state_->counts[hash];
    }
    // The pointer is only a token; its deleter keeps the state alive and removes the pin.
    return {state_.get(), [state = state_, hash](const void*) { state->unpin(hash); }};
}

void BlobPins::run_if_unpinned(const std::string& hash, const std::function<void()>& work) const
{
    const std::lock_guard lock(state_->mutex);
    if (!state_->counts.contains(hash)) work();
}

std::vector<std::string> BlobPins::wait_for_unpinned(const std::stop_token& stop)
{
    std::unique_lock lock(state_->mutex);
    if (!state_->changed.wait(lock, stop, [&] { return !state_->released.empty(); })) return {};
    return std::exchange(state_->released, {});
}

} // namespace vitrine::server
