#include "server/render_process/ticket_watcher.hpp"

#include <cerrno>

#include <unistd.h>

namespace vitrine::render_process {

TicketWatcher::TicketWatcher(worker::FileDescriptor notices)
    : notices_(std::move(notices)), thread_([this] { work(); })
{
}

TicketWatcher::~TicketWatcher()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        waiting_.clear();
    }
    changed_.notify_all();
    thread_.join();
}

void TicketWatcher::add(ObjectId id, TicketPtr ticket)
{
    {
        const std::lock_guard lock(mutex_);
        waiting_.emplace_back(id, std::move(ticket));
    }
    changed_.notify_all();
}

void TicketWatcher::wait_for(ObjectId id)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finished_ >= id; });
}

void TicketWatcher::work()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        auto [id, ticket] = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        ticket->wait();
        ticket.reset();
        while (::write(notices_.get(), &id, sizeof id) < 0 && errno == EINTR) {
        }
        lock.lock();
        finished_ = id;
        changed_.notify_all();
    }
}

} // namespace vitrine::render_process
