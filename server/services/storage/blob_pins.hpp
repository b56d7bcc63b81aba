#pragma once
// Which blobs uploads use that the catalog does not reference yet.

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace vitrine::server {

// Any thread. A pin may outlive this object.
class BlobPins {
public:
    BlobPins();

    // The blob is not removed until the last copy of the pin is destroyed. Waits while it is being removed.
    std::shared_ptr<const void> take(const std::string& hash);
    // Runs `work` if the blob has no pin; no pin of this blob can be taken until it has returned.
    void run_if_unpinned(const std::string& hash, const std::function<void()>& work);
    // They are candidates of wait_for_unpinned(), if they have no pin.
    void release(std::span<const std::string> hashes);
    // Waits for blobs whose last pin was destroyed. Empty: a stop was requested.
    std::vector<std::string> wait_for_unpinned(const std::stop_token& stop);

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace vitrine::server
