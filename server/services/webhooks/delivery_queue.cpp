// Deliveries from the event to the end of their attempts.

#include "server/services/webhooks/delivery_queue.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/events/event_types.hpp"
#include "server/services/webhooks/delivery_rows.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr long long events_at_once = 200;

long long in_micros(std::chrono::milliseconds time)
{
    return std::chrono::microseconds(time).count();
}

struct WaitingWebhook {
    std::string id, events;
    long long last_event = 0;
};

struct RunningDelivery {
    std::string id, owner;
    long long expired = 0;
};

struct StoredEvent {
    long long id = 0;
    std::string type, data, trace;
};

bool has_new_events(DatabaseConnection& sql)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM webhooks WHERE disabled = '' AND "
           "last_event < (SELECT COALESCE(MAX(id), 0) FROM events)",
        into(count);
    return count > 0;
}

std::optional<WaitingWebhook> lock_waiting(DatabaseConnection& sql)
{
    WaitingWebhook found;
    sql << fmt::format("SELECT id, events, last_event FROM webhooks WHERE disabled = '' AND "
                       "last_event < (SELECT COALESCE(MAX(id), 0) FROM events) ORDER BY last_event "
                       "LIMIT 1{}",
                       sql.dialect.words().skip_locked),
        into(found.id), into(found.events), into(found.last_event);
    return sql.got_data() ? std::optional(std::move(found)) : std::nullopt;
}

std::vector<StoredEvent> events_after(DatabaseConnection& sql, long long id)
{
    StoredEvent row;
    std::vector<StoredEvent> events;
    PreparedStatement select =
        (sql.prepare << "SELECT id, type, data, trace FROM events WHERE id > :id ORDER BY id LIMIT :count",
         into(row.id), into(row.type), into(row.data), into(row.trace), use(id), use(events_at_once));
    for (select.execute(); select.fetch();)
        events.push_back(row);
    return events;
}

// `events`: words, separated by spaces.
bool wants(std::string_view events, std::string_view type)
{
    if (events.empty()) return true;
    while (!events.empty()) {
        const auto end = std::min(events.find(' '), events.size());
        if (names_event_type(events.substr(0, end), type)) return true;
        events.remove_prefix(std::min(end + 1, events.size()));
    }
    return false;
}

std::string body_of(std::string_view type, Micros time, std::string_view data)
{
    return fmt::format(R"({{"type":"{}","timestamp":"{}","data":{}}})", type, api::to_rfc3339(time), data);
}

// Returns the id. The id of an event is its time, or a little more.
std::string insert_delivery(DatabaseConnection& sql, const std::string& webhook, const StoredEvent& event,
                            bool has_room)
{
    auto id = new_id("msg");
    const auto time = event.id == 0 ? now() : event.id;
    const auto body = body_of(event.type, time, event.data);
    const std::string state = has_room ? "queued" : "dead";
    const std::string code = has_room ? "" : "queue_full";
    const std::string detail = has_room ? "" : "Too many deliveries of the webhook waited.";
    sql << fmt::format(
        "INSERT INTO webhook_deliveries (id, webhook, event, type, body, state, created, "
        "run_after, finished, problem_code, problem_detail, trace) VALUES (:id, :webhook, :event, "
        ":type, :body, :state, now_micros(), now_micros(), {}, :code, :detail, :trace)",
        has_room ? "0" : "now_micros()"),
        use(id), use(webhook), use(event.id), use(event.type), use(body), use(state), use(code), use(detail),
        use(event.trace);
    return id;
}

long long count_queued(DatabaseConnection& sql, const std::string& webhook)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'queued' AND webhook = :id", into(count),
        use(webhook);
    return count;
}

bool add_next_events(DatabaseConnection& sql)
{
    const auto webhook = lock_waiting(sql);
    if (!webhook) return false;
    const auto events = events_after(sql, webhook->last_event);
    if (events.empty()) return false;
    auto room = DeliveryQueue::max_queued - count_queued(sql, webhook->id);
    for (const auto& event : events)
        if (wants(webhook->events, event.type)) insert_delivery(sql, webhook->id, event, room-- > 0);
    const auto last = events.back().id;
    sql << "UPDATE webhooks SET last_event = :last WHERE id = :id", use(last), use(webhook->id);
    return true;
}

// Returns false if the webhook was removed meanwhile, and the delivery with it.
bool read_target(DatabaseConnection& sql, DeliveryClaim& claim)
{
    std::string secret, former;
    sql << "SELECT url, secret, CASE WHEN former_until > now_micros() THEN former_secret ELSE '' END "
           "FROM webhooks WHERE id = :id",
        into(claim.url), into(secret), into(former), use(claim.webhook);
    if (!sql.got_data()) return false;
    claim.secrets.push_back(secret);
    if (!former.empty()) claim.secrets.push_back(former);
    return true;
}

void disable_webhook(DatabaseConnection& sql, const std::string& id)
{
    sql << "UPDATE webhooks SET disabled = 'gone', updated = now_micros() WHERE id = :id AND disabled = ''",
        use(id);
    send_signal(sql, webhooks_topic);
}

// Whether the claim is still the delivery's, which nobody else changes in this transaction then.
bool holds(DatabaseConnection& sql, const DeliveryClaim& claim)
{
    const long long number = claim.claim;
    std::string id;
    sql << fmt::format("SELECT id FROM webhook_deliveries WHERE id = :id AND state = 'running' AND "
                       "claims = :claim{}",
                       sql.dialect.words().lock_row),
        into(id), use(claim.id), use(number);
    return sql.got_data();
}

std::string state_after(DeliveryOutcome::Kind kind)
{
    if (kind == DeliveryOutcome::Kind::failed) return "queued";
    return kind == DeliveryOutcome::Kind::delivered ? "delivered" : "dead";
}

void requeue_delivery(DatabaseConnection& sql, const std::string& id)
{
    sql << "UPDATE webhook_deliveries SET state = 'queued', lease_owner = '', lease_until = 0 "
           "WHERE id = :id AND state = 'running'",
        use(id);
}

} // namespace

bool DeliveryQueue::add_events() const
{
    if (!database_.read(has_new_events)) return false;
    return database_.write(add_next_events); // durable before anything is sent with the id of a delivery
}

std::optional<DeliveryClaim> DeliveryQueue::claim(const std::string& owner) const
{
    const long long lease = in_micros(options_.lease);
    const long long most = options_.in_flight_of_webhook;
    return database_.write_unsynced([&](DatabaseConnection& sql) -> std::optional<DeliveryClaim> {
        DeliveryClaim claim;
        long long attempts = 0, number = 0;
        sql << fmt::format(
            "UPDATE webhook_deliveries SET state = 'running', attempts = attempts + 1, claims = claims + 1, "
            "lease_owner = :owner, lease_until = now_micros() + :lease WHERE id = (SELECT id FROM "
            "webhook_deliveries WHERE state = 'queued' AND run_after <= now_micros() AND webhook IN "
            "(SELECT w.id FROM webhooks w WHERE w.disabled = '' AND (SELECT COUNT(*) FROM "
            "webhook_deliveries r WHERE r.state = 'running' AND r.webhook = w.id) < :most) "
            "ORDER BY run_after, event LIMIT 1{}) RETURNING id, webhook, body, attempts, claims, trace",
            sql.dialect.words().skip_locked),
            into(claim.id), into(claim.webhook), into(claim.body), into(attempts), into(number),
            into(claim.trace), use(owner), use(lease), use(most);
        if (!sql.got_data()) return std::nullopt;
        claim.attempt = static_cast<std::uint32_t>(attempts);
        claim.claim = number;
        return read_target(sql, claim) ? std::optional(std::move(claim)) : std::nullopt;
    });
}

bool DeliveryQueue::finish(const DeliveryClaim& claim, const DeliveryOutcome& outcome) const
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        if (!holds(sql, claim)) return false;
        const auto state = state_after(outcome.kind);
        const long long pause = in_micros(outcome.pause), status = outcome.status;
        sql << fmt::format("UPDATE webhook_deliveries SET state = :state, lease_owner = '', lease_until = 0, "
                           "attempted = now_micros(), run_after = now_micros() + :pause, status = :status, "
                           "problem_code = :code, problem_detail = :detail, finished = {} WHERE id = :id",
                           outcome.kind == DeliveryOutcome::Kind::failed ? "0" : "now_micros()"),
            use(state), use(pause), use(status), use(outcome.problem_code), use(outcome.problem_detail),
            use(claim.id);
        if (outcome.kind == DeliveryOutcome::Kind::gone) disable_webhook(sql, claim.webhook);
        return true;
    });
}

void DeliveryQueue::release(const DeliveryClaim& claim) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        if (!holds(sql, claim)) return;
        requeue_delivery(sql, claim.id);
        sql << "UPDATE webhook_deliveries SET attempts = attempts - 1 WHERE id = :id", use(claim.id);
    });
}

void DeliveryQueue::recover(const std::function<bool(const std::string& owner)>& is_dead) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        RunningDelivery row;
        std::vector<RunningDelivery> running;
        PreparedStatement select =
            (sql.prepare << fmt::format(
                 "SELECT id, lease_owner, CASE WHEN lease_until <= now_micros() THEN 1 "
                 "ELSE 0 END FROM webhook_deliveries WHERE state = 'running'{}",
                 sql.dialect.words().skip_locked),
             into(row.id), into(row.owner), into(row.expired));
        for (select.execute(); select.fetch();)
            running.push_back(row);
        for (const auto& delivery : running)
            if (delivery.expired != 0 || is_dead(delivery.owner)) requeue_delivery(sql, delivery.id);
    });
}

Result<WebhookDelivery> DeliveryQueue::add_test(const std::string& webhook) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<WebhookDelivery> {
        if (auto rejection = reject_unless_enabled(sql, webhook)) return std::unexpected(*rejection);
        const auto id = insert_delivery(
            sql, webhook, {.id = 0, .type = webhook_test_type, .data = "{}", .trace = current_trace()}, true);
        send_signal(sql, webhooks_topic);
        return fetch_deliveries(sql, webhook, {.id = id}).front();
    });
}

} // namespace vitrine::server
