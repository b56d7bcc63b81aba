#pragma once
// Delivers events to webhooks: each one at least once to each, over restarts and over several processes, of
// which one at a time attempts a delivery. One thread makes deliveries of new events and claims those that
// are due, others send them.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <prometheus/registry.h>

#include "server/services/database/signals.hpp"
#include "server/services/webhooks/delivery_queue.hpp"
#include "server/services/webhooks/webhook_transport.hpp"

namespace vitrine::server {

// The pause after attempt number `attempt` (1: the first): it grows to four times the last one, to max_retry.
// `jitter`: 0 to 1, of a quarter less or more.
std::chrono::milliseconds retry_pause(const WebhookOptions& options, std::uint32_t attempt, double jitter);
// What becomes of a delivery after this attempt.
DeliveryOutcome judge_reply(const WebhookOptions& options, std::uint32_t attempt, const WebhookReply& reply,
                            double jitter);

class WebhookSender {
public:
    // Both outlive it.
    WebhookSender(DatabaseConnections& database, prometheus::Registry& registry,
                  const WebhookOptions& options);
    ~WebhookSender(); // calls stop()
    WebhookSender(const WebhookSender&) = delete;
    WebhookSender& operator=(const WebhookSender&) = delete;

    void start();
    void interrupt(); // ends the requests in flight, which are attempted again later; does not wait
    void stop();

    const DeliveryQueue& queue() const { return queue_; }
    const WebhookOptions& options() const { return options_; }

private:
    struct Counters;
    struct SendingThread;

    void on_signal(bool is_event);
    void run(const std::stop_token& stop);
    void look(const std::stop_token& stop);
    void claim_due(const std::stop_token& stop);
    void tidy();
    void wait(const std::stop_token& stop, std::chrono::milliseconds time);
    void send(const DeliveryClaim& claim);
    void start_sending(DeliveryClaim claim);
    std::size_t join_finished(); // returns the number of those that still send

    const WebhookOptions options_;
    const DeliveryQueue queue_;
    const std::string owner_;
    const std::unique_ptr<Counters> counters_;
    std::stop_source interrupted_;
    std::mutex mutex_; // guards the next four
    std::condition_variable_any woken_;
    bool is_signaled_ = false;
    bool has_webhooks_ = true;
    std::list<SendingThread> sending_;
    std::chrono::steady_clock::time_point next_recovery_{}, next_removal_{}; // of the thread
    std::unique_ptr<Signals::Subscription> events_, changes_;
    std::jthread thread_; // last: ends before what it uses
};

} // namespace vitrine::server
