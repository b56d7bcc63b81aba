#pragma once
// What the process tells systemd by the protocol of sd_notify(3), if it was started so (Type=notify): that it
// is ready, that it stops, and, with WatchdogSec=, that it works.

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/util/work_pool.hpp"

namespace vitrine::server {

class ServiceManager {
public:
    // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID and removes them from the environment; before
    // threads read it. Both outlive the object, and no thread of `pool` runs when it is destroyed.
    ServiceManager(boost::asio::io_context& io, WorkPool& pool);

    // From now on, twice in each watchdog interval, a message is sent after a task went through `io` and
    // `pool`: not while one of them hangs.
    void ready(std::string_view status);
    void stopping(); // on the thread of `io`, as ready() or later

private:
    void wait_for_beat();
    void beat();
    void send(const std::string& message, int flags) const; // of sendto()

    WorkPool& pool_;
    std::string socket_; // a path, or '@' and an abstract name; empty: not started so
    std::chrono::microseconds interval_{0};
    boost::asio::steady_timer timer_;
    std::atomic<bool> is_waiting_ = false; // for the pool
};

} // namespace vitrine::server
