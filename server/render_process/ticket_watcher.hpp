#pragma once
// Reports finished tickets to the server, in the order of their submission, while the main thread of the
// render process works.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "loaders/worker/files/file_descriptor.hpp"
#include "server/render_process/messages.hpp"
#include "vk_renderer/frame_ticket.hpp"

namespace vitrine::render_process {

class TicketWatcher {
public:
    using TicketPtr = std::shared_ptr<render::FrameTicket>;

    // `notices`: a pipe, to which the number of each finished ticket is written.
    explicit TicketWatcher(worker::FileDescriptor notices);
    ~TicketWatcher(); // waits for the ticket that the device is working on
    TicketWatcher(const TicketWatcher&) = delete;
    TicketWatcher& operator=(const TicketWatcher&) = delete;

    void add(ObjectId id, TicketPtr ticket);
    // Returns when the ticket, and all before it, are finished.
    void wait_for(ObjectId id);

private:
    void work();

    const worker::FileDescriptor notices_;
    std::mutex mutex_; // guards the members below
    std::condition_variable changed_;
    std::deque<std::pair<ObjectId, TicketPtr>> waiting_;
    ObjectId finished_ = 0;
    bool stopping_ = false;
    std::thread thread_;
};

} // namespace vitrine::render_process
