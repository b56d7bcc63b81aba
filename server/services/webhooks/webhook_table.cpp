#include "server/services/webhooks/webhook_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/webhooks/webhook_signature.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::string_view select_webhooks =
    "SELECT id, url, events, description, disabled, created, created_by, updated, "
    "CASE WHEN former_until > now_micros() THEN former_until ELSE 0 END FROM webhooks ";

constexpr const char* newest_event = "(SELECT COALESCE(MAX(id), 0) FROM events)";

std::vector<std::string> split_words(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string join_words(const std::vector<std::string>& words)
{
    return fmt::format("{}", fmt::join(words, " "));
}

std::unexpected<ServiceError> no_webhook(const std::string& id)
{
    return std::unexpected(ServiceError{Errc::not_found, "no_webhook", id, "There is no such webhook."});
}

// Columns of select_webhooks.
struct WebhookRow {
    std::string id, url, events, description, disabled, created_by;
    long long created = 0, updated = 0, former = 0;

    void read_from(soci::statement& statement)
    {
        statement.exchange(into(id));
        statement.exchange(into(url));
        statement.exchange(into(events));
        statement.exchange(into(description));
        statement.exchange(into(disabled));
        statement.exchange(into(created));
        statement.exchange(into(created_by));
        statement.exchange(into(updated));
        statement.exchange(into(former));
    }

    Webhook webhook() const
    {
        return {{url, split_words(events), description, created_by}, id, disabled, created, updated, former};
    }
};

// `end`: of the statement, with at most one value :id.
std::vector<Webhook> fetch_webhooks(DatabaseConnection& sql, std::string_view end, const std::string* id)
{
    WebhookRow row;
    std::vector<Webhook> webhooks;
    soci::statement select(sql);
    row.read_from(select);
    if (id != nullptr) select.exchange(use(*id));
    select.alloc();
    select.prepare(std::string(select_webhooks) + std::string(end));
    select.define_and_bind();
    for (select.execute(); select.fetch();)
        webhooks.push_back(row.webhook());
    return webhooks;
}

Result<Webhook> find_row(DatabaseConnection& sql, const std::string& id, std::string_view lock = {})
{
    auto found = fetch_webhooks(sql, fmt::format("WHERE id = :id{}", lock), &id);
    if (found.empty()) return no_webhook(id);
    return std::move(found.front());
}

void insert_webhook(DatabaseConnection& sql, const CreatedWebhook& made)
{
    const auto& webhook = made.webhook;
    const auto events = join_words(webhook.events);
    const long long time = webhook.created;
    sql << fmt::format("INSERT INTO webhooks (id, url, events, description, secret, last_event, created, "
                       "created_by, updated) VALUES (:id, :url, :events, :description, :secret, {}, "
                       ":created, :by, :updated)",
                       newest_event),
        use(webhook.id), use(webhook.url), use(events), use(webhook.description), use(made.secret), use(time),
        use(webhook.created_by), use(time);
    send_signal(sql, webhooks_topic);
}

void apply(const WebhookChange& change, Webhook& webhook)
{
    if (change.url) webhook.url = *change.url;
    if (change.events) webhook.events = *change.events;
    if (change.description) webhook.description = *change.description;
    if (change.disabled && *change.disabled && webhook.disabled.empty()) webhook.disabled = "request";
    if (change.disabled && !*change.disabled) webhook.disabled.clear();
}

void update_row(DatabaseConnection& sql, const Webhook& webhook, bool begins_again)
{
    const auto events = join_words(webhook.events);
    sql << fmt::format("UPDATE webhooks SET url = :url, events = :events, description = :description, "
                       "disabled = :disabled, updated = now_micros(), last_event = {} WHERE id = :id",
                       begins_again ? newest_event : "last_event"),
        use(webhook.url), use(events), use(webhook.description), use(webhook.disabled), use(webhook.id);
    send_signal(sql, webhooks_topic);
}

} // namespace

Result<CreatedWebhook> WebhookTable::create(NewWebhook wanted) const
{
    CreatedWebhook made{{std::move(wanted)}, make_webhook_secret()};
    made.webhook.id = new_id("webhook");
    return database_.write([&](DatabaseConnection& sql) -> Result<CreatedWebhook> {
        sql.dialect.lock_briefly(sql, "vitrine.webhooks");
        long long time = 0, count = 0;
        sql << "SELECT now_micros()", into(time);
        sql << "SELECT COUNT(*) FROM webhooks", into(count);
        if (count >= max_webhooks)
            return make_error(Errc::conflict, "too_many_webhooks",
                              fmt::format("There are {} webhooks already; remove some.", max_webhooks));
        made.webhook.created = made.webhook.updated = time;
        insert_webhook(sql, made);
        record_audit(sql, "webhook.create", made.webhook.id, made.webhook.description);
        return made;
    });
}

std::vector<Webhook> WebhookTable::list() const
{
    return database_.read(
        [](DatabaseConnection& sql) { return fetch_webhooks(sql, "ORDER BY id DESC", nullptr); });
}

Result<Webhook> WebhookTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_row(sql, id); });
}

Result<Webhook> WebhookTable::change(const std::string& id, const WebhookChange& change) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Webhook> {
        auto webhook = find_row(sql, id, sql.dialect.words().lock_row);
        if (!webhook) return webhook;
        const bool was_disabled = !webhook->disabled.empty();
        apply(change, *webhook);
        update_row(sql, *webhook, was_disabled && webhook->disabled.empty());
        record_audit(sql, "webhook.change", id, webhook->description);
        return find_row(sql, id);
    });
}

Result<CreatedWebhook> WebhookTable::rotate(const std::string& id, std::chrono::seconds overlap) const
{
    const auto secret = make_webhook_secret();
    const long long time = std::chrono::microseconds(overlap).count();
    return database_.write([&](DatabaseConnection& sql) -> Result<CreatedWebhook> {
        sql << "UPDATE webhooks SET former_secret = secret, former_until = now_micros() + :overlap, "
               "secret = :secret, updated = now_micros() WHERE id = :id",
            use(time), use(secret), use(id);
        auto webhook = find_row(sql, id);
        if (!webhook) return std::unexpected(webhook.error());
        record_audit(sql, "webhook.rotate", id, webhook->description);
        return CreatedWebhook{std::move(*webhook), secret};
    });
}

Result<void> WebhookTable::remove(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        auto webhook = find_row(sql, id, sql.dialect.words().lock_row);
        if (!webhook) return std::unexpected(webhook.error());
        sql << "DELETE FROM webhook_deliveries WHERE webhook = :id", use(id);
        sql << "DELETE FROM webhooks WHERE id = :id", use(id);
        record_audit(sql, "webhook.remove", id, webhook->description);
        send_signal(sql, webhooks_topic);
        return {};
    });
}

} // namespace vitrine::server
