#include "server/services/webhooks/webhook_sender.hpp"

#include <algorithm>
#include <atomic>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <spdlog/spdlog.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/webhooks/webhook_signature.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/util/process_owner.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr auto removal_interval = 10min;
constexpr auto min_wait = 200ms; // for a due delivery that cannot be claimed now

double random_jitter()
{
    thread_local std::minstd_rand random{std::random_device{}()};
    return std::uniform_real_distribution(0.0, 1.0)(random);
}

prometheus::Counter& attempts_counter(prometheus::Registry& registry, const char* outcome)
{
    return prometheus::BuildCounter()
        .Name("vitrine_webhook_attempts_total")
        .Help("Requests to webhooks by outcome; dead: the last attempt has failed")
        .Register(registry)
        .Add({{"outcome", outcome}});
}

prometheus::Gauge& webhook_gauge(prometheus::Registry& registry, const char* name, const char* help)
{
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

WebhookRequest request_of(const DeliveryClaim& claim)
{
    const auto time = now() / 1'000'000;
    WebhookRequest request{
        .url = claim.url,
        .headers = {"Content-Type: application/json", "User-Agent: Vitrine-Webhooks",
                    "webhook-id: " + claim.id, fmt::format("webhook-timestamp: {}", time),
                    "webhook-signature: " + sign_webhook(claim.secrets, claim.id, time, claim.body)},
        .body = claim.body};
    if (const auto traceparent = make_traceparent(); !traceparent.empty())
        request.headers.push_back("traceparent: " + traceparent);
    return request;
}

// Without libcurl it fails as a receiver that cannot be reached.
WebhookReply try_to_send(const DeliveryClaim& claim, const WebhookOptions& options,
                         const std::stop_token& stop)
{
    try {
        return send_webhook(request_of(claim), options, stop);
    } catch (const std::exception& error) {
        return {.problem_code = "not_sent", .problem_detail = error.what()};
    }
}

void log_failure(const DeliveryClaim& claim, const DeliveryOutcome& outcome)
{
    if (outcome.kind == DeliveryOutcome::Kind::delivered) return;
    spdlog::warn(
        "msg=\"webhook not delivered\" webhook={} delivery={} attempt={} status={} code={} error={:?}",
        claim.webhook, claim.id, claim.attempt, outcome.status, outcome.problem_code, outcome.problem_detail);
}

} // namespace

struct WebhookSender::Counters {
    explicit Counters(prometheus::Registry& registry)
        : delivered(attempts_counter(registry, "delivered")), failed(attempts_counter(registry, "failed")),
          dead(attempts_counter(registry, "dead")),
          in_flight(
              webhook_gauge(registry, "vitrine_webhook_requests_in_flight", "Requests to webhooks now")),
          queued(webhook_gauge(registry, "vitrine_webhook_queue_length",
                               "Deliveries waiting, of all processes")),
          seconds(prometheus::BuildHistogram()
                      .Name("vitrine_webhook_seconds")
                      .Help("Time of a request to a webhook")
                      .Register(registry)
                      .Add({}, prometheus::Histogram::BucketBoundaries{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30}))
    {
    }

    void count(DeliveryOutcome::Kind kind)
    {
        using Kind = DeliveryOutcome::Kind;
        (kind == Kind::delivered ? delivered : kind == Kind::failed ? failed : dead).Increment();
    }

    prometheus::Counter &delivered, &failed, &dead;
    prometheus::Gauge &in_flight, &queued;
    prometheus::Histogram& seconds;
};

struct WebhookSender::SendingThread {
    std::atomic<bool> is_finished = false;
    std::jthread thread{};
};

WebhookSender::WebhookSender(DatabaseConnections& database, prometheus::Registry& registry,
                             const WebhookOptions& options)
    : options_(options), queue_(database, options_), owner_(process_owner()),
      counters_(std::make_unique<Counters>(registry)),
      events_(database.signals().subscribe("events", [this](std::string_view) { on_signal(true); })),
      changes_(database.signals().subscribe(webhooks_topic, [this](std::string_view) { on_signal(false); }))
{
}

WebhookSender::~WebhookSender()
{
    stop();
}

void WebhookSender::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void WebhookSender::interrupt()
{
    interrupted_.request_stop();
    thread_.request_stop();
}

void WebhookSender::stop()
{
    interrupt();
    if (thread_.joinable()) thread_.join();
    std::list<SendingThread> rest;
    {
        const std::lock_guard lock(mutex_);
        rest.swap(sending_);
    }
}

void WebhookSender::on_signal(bool is_event)
{
    {
        const std::lock_guard lock(mutex_);
        if (is_event && !has_webhooks_) return;
        is_signaled_ = true;
    }
    woken_.notify_one();
}

void WebhookSender::wait(const std::stop_token& stop, std::chrono::milliseconds time)
{
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, stop, time, [&] { return is_signaled_; });
    is_signaled_ = false;
}

void WebhookSender::tidy()
{
    const auto instant = steady_clock::now();
    if (instant >= next_recovery_) {
        next_recovery_ = instant + options_.poll;
        queue_.recover(is_dead);
        counters_->queued.Set(static_cast<double>(queue_.queued()));
    }
    if (instant < next_removal_) return;
    next_removal_ = instant + removal_interval;
    queue_.remove_old();
}

std::size_t WebhookSender::join_finished()
{
    std::list<SendingThread> finished; // joined without the lock, which their last lines need
    const std::lock_guard lock(mutex_);
    for (auto one = sending_.begin(); one != sending_.end();) {
        const auto next = std::next(one);
        if (one->is_finished) finished.splice(finished.end(), sending_, one);
        one = next;
    }
    return sending_.size();
}

void WebhookSender::start_sending(DeliveryClaim claim)
{
    const std::lock_guard lock(mutex_);
    auto& one = sending_.emplace_back();
    try {
        one.thread = std::jthread([this, &one, claim = std::move(claim)] {
            send(claim);
            one.is_finished = true;
            on_signal(false); // another one may be claimed
        });
    } catch (...) { // no thread; the claim is repeated when its lease expires
        sending_.pop_back();
        throw;
    }
}

void WebhookSender::claim_due(const std::stop_token& stop)
{
    const auto is_due = [this] {
        return queue_.next_due() == std::optional(0ms);
    }; // without a lock on writes
    while (!stop.stop_requested() && join_finished() < options_.in_flight && is_due()) {
        auto claim = queue_.claim(owner_);
        if (!claim) return;
        start_sending(std::move(*claim));
    }
}

void WebhookSender::look(const std::stop_token& stop)
{
    const bool has_webhooks = queue_.has_webhooks();
    {
        const std::lock_guard lock(mutex_);
        has_webhooks_ = has_webhooks;
    }
    if (!has_webhooks) return;
    tidy();
    while (!stop.stop_requested() && queue_.add_events())
        claim_due(stop);
    claim_due(stop);
}

void WebhookSender::run(const std::stop_token& stop)
{
    bool failed = false;
    while (!stop.stop_requested()) {
        auto time = options_.poll;
        try {
            look(stop);
            if (const auto due = queue_.next_due()) time = std::clamp(*due, min_wait, options_.poll);
            failed = false;
        } catch (const std::exception& error) {
            if (!std::exchange(failed, true))
                spdlog::error("msg=\"webhooks cannot be looked at; trying again\" error={:?}",
                              std::string_view(error.what()));
        }
        wait(stop, time);
    }
}

// What cannot be stored is attempted again when the lease has expired.
void WebhookSender::send(const DeliveryClaim& claim)
{
    const TraceScope trace(claim.trace);
    try {
        counters_->in_flight.Increment();
        const auto begin = steady_clock::now();
        const auto reply = try_to_send(claim, options_, interrupted_.get_token());
        counters_->in_flight.Decrement();
        if (reply.interrupted) return queue_.release(claim);
        counters_->seconds.Observe(std::chrono::duration<double>(steady_clock::now() - begin).count());
        const auto outcome = judge_reply(options_, claim.attempt, reply, random_jitter());
        counters_->count(outcome.kind);
        log_failure(claim, outcome);
        if (outcome.kind == DeliveryOutcome::Kind::gone)
            spdlog::warn("msg=\"webhook disabled: its URL has answered 410\" webhook={}", claim.webhook);
        queue_.finish(claim, outcome);
    } catch (const std::exception& error) {
        spdlog::error("msg=\"delivery of a webhook failed\" delivery={} error={:?}", claim.id,
                      std::string_view(error.what()));
    }
}

} // namespace vitrine::server
