#pragma once
// Ends the work of requests that take long when their time is over or their client has left. One thread looks
// after all of them, ten times a second; without such requests it sleeps. Any thread.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include <prometheus/registry.h>

#include "server/routing/route.hpp"
#include "server/util/peer_socket.hpp"

namespace prometheus {
class Counter;
}

namespace vitrine::server {

class RequestWatch {
public:
    using Clock = std::chrono::steady_clock;

    // `limit`: of the work of one request.
    RequestWatch(std::chrono::milliseconds limit, prometheus::Registry& registry);

    // The work of one request, watched as long as the object exists. Must not outlive the RequestWatch.
    class Work {
    public:
        Work(RequestWatch& watch, std::shared_ptr<const PeerSocket> peer);
        ~Work();
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

        // Returns the answer, which is made on this thread with a StopScope (loaders/base/stop.hpp): the
        // problem time_limit_exceeded if its time is over. Throws PeerDisconnected if its client has left.
        HandlerResult answer(const std::function<HandlerResult()>& make);

    private:
        friend class RequestWatch;
        void check(Clock::time_point now);

        RequestWatch& watch_;
        std::shared_ptr<const PeerSocket> peer_;
        const Clock::time_point end_;
        Clock::time_point ended_{}; // when the end of the peer's stream was noticed
        std::stop_source stop_;
        bool has_left_ = false;
        std::list<Work*>::iterator place_;
    };

private:
    void run(const std::stop_token& stop);

    const std::chrono::milliseconds limit_;
    prometheus::Counter& timed_out_;
    prometheus::Counter& abandoned_;
    std::mutex mutex_; // guards works_ and what check() changes
    std::condition_variable_any changed_;
    std::list<Work*> works_;
    std::jthread thread_; // the last member
};

} // namespace vitrine::server
