// What requests read about deliveries, their repetition, and their removal.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/services/database/binds.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/webhooks/delivery_rows.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

struct DeliveryStateWord {
    DeliveryState state;
    std::string_view word;
};

constexpr std::array<DeliveryStateWord, 4> state_words{{{DeliveryState::queued, "queued"},
                                                        {DeliveryState::running, "running"},
                                                        {DeliveryState::delivered, "delivered"},
                                                        {DeliveryState::dead, "dead"}}};

std::string condition_of(const std::string& webhook, const DeliveryQuery& query, Binds& binds)
{
    auto condition = "webhook = " + binds.add(webhook);
    if (query.state) condition += " AND state = " + binds.add(std::string(to_string(*query.state)));
    if (!query.id.empty()) condition += " AND id = " + binds.add(query.id);
    if (!query.before.empty()) condition += " AND id < " + binds.add(query.before);
    return condition + " ORDER BY id DESC LIMIT " + binds.add(static_cast<long long>(query.limit));
}

struct DeliveryRow {
    WebhookDelivery delivery;
    std::string state;
    long long attempts = 0, created = 0, attempted = 0, next = 0, finished = 0, status = 0;

    void read_from(soci::statement& statement)
    {
        for (auto* text : {&delivery.id, &delivery.webhook, &delivery.type, &state})
            statement.exchange(into(*text));
        for (auto* number : {&attempts, &created, &attempted, &next, &finished, &status})
            statement.exchange(into(*number));
        statement.exchange(into(delivery.problem_code));
        statement.exchange(into(delivery.problem_detail));
    }

    WebhookDelivery read() const
    {
        auto made = delivery;
        made.state = parse_delivery_state(state).value_or(DeliveryState::dead);
        made.attempts = static_cast<std::uint32_t>(attempts);
        made.created = created;
        made.attempted = attempted;
        made.next = made.state == DeliveryState::queued ? next : 0;
        made.finished = finished;
        made.status = static_cast<int>(status);
        return made;
    }
};

bool exists(DatabaseConnection& sql, const std::string& webhook)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM webhooks WHERE id = :id", into(count), use(webhook);
    return count > 0;
}

ServiceError no_such_webhook(const std::string& id)
{
    return {Errc::not_found, "no_webhook", id, "There is no such webhook."};
}

// Returns the state of the delivery, whose row is locked; empty: there is none.
std::string lock_delivery(DatabaseConnection& sql, const std::string& webhook, const std::string& delivery)
{
    std::string state;
    sql << fmt::format("SELECT state FROM webhook_deliveries WHERE id = :id AND webhook = :webhook{}",
                       sql.dialect.words().lock_row),
        into(state), use(delivery), use(webhook);
    return sql.got_data() ? state : std::string();
}

void remove_old_of(DatabaseConnection& sql, const std::string& state)
{
    const long long age = std::chrono::microseconds(DeliveryQueue::retention).count();
    sql << "DELETE FROM webhook_deliveries WHERE state = :state AND finished < now_micros() - :age",
        use(state), use(age);
    sql << "DELETE FROM webhook_deliveries WHERE state = :state AND id <= (SELECT id FROM "
           "webhook_deliveries WHERE state = :same ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        use(state), use(state), use(DeliveryQueue::max_kept);
}

} // namespace

std::string_view to_string(DeliveryState state)
{
    return std::ranges::find(state_words, state, &DeliveryStateWord::state)->word;
}

std::optional<DeliveryState> parse_delivery_state(std::string_view word)
{
    const auto* const found = std::ranges::find(state_words, word, &DeliveryStateWord::word);
    return found == state_words.end() ? std::nullopt : std::optional(found->state);
}

std::vector<WebhookDelivery> fetch_deliveries(DatabaseConnection& sql, const std::string& webhook,
                                              const DeliveryQuery& query)
{
    Binds binds;
    const auto condition = condition_of(webhook, query, binds);
    DeliveryRow row;
    std::vector<WebhookDelivery> deliveries;
    soci::statement select(sql);
    row.read_from(select);
    binds.attach(select);
    select.alloc();
    select.prepare("SELECT id, webhook, type, state, attempts, created, attempted, run_after, finished, "
                   "status, problem_code, problem_detail FROM webhook_deliveries WHERE " +
                   condition);
    select.define_and_bind();
    for (select.execute(); select.fetch();)
        deliveries.push_back(row.read());
    return deliveries;
}

std::optional<ServiceError> reject_unless_enabled(DatabaseConnection& sql, const std::string& webhook)
{
    std::string disabled;
    sql << fmt::format("SELECT disabled FROM webhooks WHERE id = :id{}", sql.dialect.words().lock_row),
        into(disabled), use(webhook);
    if (!sql.got_data()) return no_such_webhook(webhook);
    if (disabled.empty()) return std::nullopt;
    return ServiceError{Errc::conflict, "webhook_disabled", webhook,
                        "The webhook is disabled and delivers nothing."};
}

Result<std::vector<WebhookDelivery>> DeliveryQueue::list(const std::string& webhook,
                                                         const DeliveryQuery& query) const
{
    return database_.read([&](DatabaseConnection& sql) -> Result<std::vector<WebhookDelivery>> {
        if (!exists(sql, webhook)) return std::unexpected(no_such_webhook(webhook));
        return fetch_deliveries(sql, webhook, query);
    });
}

Result<WebhookDelivery> DeliveryQueue::replay(const std::string& webhook, const std::string& delivery) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<WebhookDelivery> {
        if (auto rejection = reject_unless_enabled(sql, webhook)) return std::unexpected(*rejection);
        const auto state = lock_delivery(sql, webhook, delivery);
        if (state.empty())
            return std::unexpected(
                ServiceError{Errc::not_found, "no_delivery", delivery, "The webhook has no such delivery."});
        if (state == "queued" || state == "running")
            return make_error(Errc::conflict, "delivery_waiting",
                              "The delivery waits for an attempt already.");
        sql << "UPDATE webhook_deliveries SET state = 'queued', attempts = 0, run_after = now_micros(), "
               "finished = 0, status = 0, problem_code = '', problem_detail = '' WHERE id = :id",
            use(delivery);
        send_signal(sql, webhooks_topic);
        return fetch_deliveries(sql, webhook, {.id = delivery}).front();
    });
}

void DeliveryQueue::remove_old() const
{
    database_.write_unsynced([](DatabaseConnection& sql) {
        for (const char* state : {"delivered", "dead"})
            remove_old_of(sql, state);
    });
}

bool DeliveryQueue::has_webhooks() const
{
    return database_.read([](DatabaseConnection& sql) {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM webhooks WHERE disabled = ''", into(count);
        return count > 0;
    });
}

std::size_t DeliveryQueue::queued() const
{
    return database_.read([](DatabaseConnection& sql) {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'queued'", into(count);
        return static_cast<std::size_t>(count);
    });
}

std::optional<std::chrono::milliseconds> DeliveryQueue::next_due() const
{
    return database_.read([](DatabaseConnection& sql) -> std::optional<std::chrono::milliseconds> {
        long long wait = 0, count = 0;
        sql << "SELECT COUNT(*), COALESCE(MIN(run_after) - now_micros(), 0) FROM webhook_deliveries "
               "WHERE state = 'queued' AND webhook IN (SELECT id FROM webhooks WHERE disabled = '')",
            into(count), into(wait);
        if (count == 0) return std::nullopt;
        return std::chrono::milliseconds(wait <= 0 ? 0 : wait / 1000 + 1);
    });
}

} // namespace vitrine::server
