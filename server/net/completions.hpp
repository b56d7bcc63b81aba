#pragma once
// Passes results of other threads to the thread of an io_context without a lock. asio::post() wakes the
// thread of a context while it holds the context's mutex: a thread of lower priority that loses the processor
// then keeps every connection of the context waiting until it runs again.

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "server/net/transport/asio.hpp"

namespace vitrine::server {

using Completion = std::move_only_function<void()>;

// What waits for the thread of a context. Shared by it and by those who add.
class CompletionInbox {
public:
    CompletionInbox(); // throws std::system_error without a free descriptor
    ~CompletionInbox();
    CompletionInbox(const CompletionInbox&) = delete;
    CompletionInbox& operator=(const CompletionInbox&) = delete;

    // Any thread. An empty completion is counted, but not called.
    void add(Completion completion);
    // Becomes readable when there is something to take.
    int descriptor() const { return event_; }
    // In the order in which they were added.
    std::vector<Completion> take();
    // Destroys what is there, and what is added from now on.
    void close();

private:
    struct Entry;

    const int event_;
    std::atomic<Entry*> newest_ = nullptr;
    std::atomic<bool> is_closed_ = false;
};

// The inbox of an io_context, found by asio::use_service().
class Completions final : public asio::execution_context::service {
public:
    using key_type = Completions;
    inline static asio::execution_context::id id;

    // `context`: an asio::io_context.
    explicit Completions(asio::execution_context& context);

    // The context takes one completion more from the inbox, and calls it on its thread. Its run() does not
    // end before that. To be called on this thread.
    std::shared_ptr<CompletionInbox> expect();

private:
    void shutdown() override;
    void wait();
    void call_added();

    std::shared_ptr<CompletionInbox> inbox_;
    asio::posix::stream_descriptor descriptor_;
    std::size_t expected_ = 0;
};

} // namespace vitrine::server
