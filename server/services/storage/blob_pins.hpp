#pragma once
// Blobs used by uploads that the catalog does not reference yet. Any thread. A pin may outlive this object.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace vitrine::server {

class BlobPins {
public:
    BlobPins();

    // The blob is not removed until the last copy of the pin is destroyed.
    std::shared_ptr<const void> take(const std::string& hash);
    // Runs `work` if the blob has no pin; no pin can be taken until it has returned.
    void run_if_unpinned(const std::string& hash, const std::function<void()>& work) const;
    // Waits for blobs whose last pin was destroyed. Empty: a stop was requested.
    std::vector<std::string> wait_for_unpinned(const std::stop_token& stop);

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace vitrine::server
