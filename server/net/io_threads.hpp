#pragma once
// Threads for network I/O. Each has an io_context of its own, which nothing else runs, so that a connection
// needs no strand and no two threads wait for the same epoll descriptor.

#include <cstddef>
#include <memory>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "server/net/asio.hpp"

namespace vitrine::server {

class IoThreads {
public:
    explicit IoThreads(unsigned threads);

    std::size_t size() const { return contexts_.size(); }
    asio::io_context& context(std::size_t thread) { return *contexts_[thread]; }

    // Runs the first context on the calling thread and the others on threads of their own. Returns after
    // finish(), when no context has work.
    void run();
    // Any thread: contexts without work end.
    void finish();

private:
    std::vector<std::unique_ptr<asio::io_context>> contexts_;
    std::vector<asio::executor_work_guard<asio::io_context::executor_type>> work_;
};

} // namespace vitrine::server
