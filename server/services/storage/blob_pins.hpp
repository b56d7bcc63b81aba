#pragma once
// Which blobs uploads are made of that the catalog does not know yet. Any thread. A hold may outlive this.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace vitrine::server {

class BlobPins {
public:
    BlobPins();

    // Until the last copy is gone nothing removes the blob.
    std::shared_ptr<const void> take(const std::string& hash);
    // `work` runs where nobody holds the blob, and nobody takes hold of it before it has run.
    void run_if_unpinned(const std::string& hash, const std::function<void()>& work) const;
    // Blobs whose last hold has gone; waits until there are some. Empty: a stop was requested.
    std::vector<std::string> wait_for_unpinned(const std::stop_token& stop);

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace vitrine::server
