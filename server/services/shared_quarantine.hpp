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
    ~SharedQuarantine();
    SharedQuarantine(const SharedQuarantine&) = delete;
    SharedQuarantine& operator=(const SharedQuarantine&) = delete;

    // From now on writes what this process quarantines as a row before the request is rejected: who has seen
    // the rejection can lift it by any process.
    void share_at_once();
    // Writes what this process has quarantined and could not write at once as rows, and reads those of all. A
    // row that is gone was lifted, or is too old. Every process that draws calls it every few seconds.
    void exchange();
    // The group (quarantine_group()), and those of several models that have it, are drawn again: by this
    // process at once, by others after their next exchange().
    void lift(const std::string& group);

private:
    void share(const std::string& group);

    RenderQueue& queue_;
    RenderPool& renders_;
    std::mutex mutex_;             // held by all functions, guards the member below
    std::set<std::string> shared_; // groups that this process has quarantined and whose rows it has written
};

} // namespace vitrine::server
