#pragma once
// The quarantine of models that the processes with one catalog share: what one has quarantined, no other
// draws, until it is lifted. Any thread, blocking. Throws StorageError.

#include <mutex>
#include <set>
#include <string>

#include "server/services/rendering/render_pool.hpp"
#include "server/services/workers/render_queue.hpp"

namespace vitrine::server {

class SharedQuarantine {
public:
    // Both outlive the object.
    SharedQuarantine(RenderQueue& queue, RenderPool& renders) : queue_(queue), renders_(renders) {}

    // Writes what this process has quarantined since the last call as rows, and reads those of all. A row
    // that is gone was lifted, or is too old. Every process that draws calls it every few seconds.
    void exchange();
    // The group (quarantine_group()), and those of several models that have it, are drawn again: by this
    // process at once, by others after their next exchange().
    void lift(const std::string& group);

private:
    RenderQueue& queue_;
    RenderPool& renders_;
    std::mutex mutex_;             // held by both functions, guards the member below
    std::set<std::string> shared_; // groups that this process has quarantined and whose rows it has written
};

} // namespace vitrine::server
