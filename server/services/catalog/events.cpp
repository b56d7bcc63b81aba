// Events are rows, written in the transaction that causes them: none is lost, and none is about what was
// undone. Their ids ascend in the order of the commits, because each transaction that records one holds a
// lock from then until its end: whoever has read up to an id has missed nothing before it.

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/tracing/trace_scope.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::string_view topic = "events";

// Condition on an event that is removed: enabled webhooks have deliveries of it.
const std::string until_delivered =
    " AND id <= (SELECT COALESCE(MIN(last_event), 9223372036854775807) FROM webhooks WHERE disabled = '')";

constexpr const char* insert_text =
    "INSERT INTO events (id, created, type, data, trace) "
    "SELECT CASE WHEN newest.id >= now_micros() THEN newest.id + 1 ELSE now_micros() END, "
    "now_micros(), :type, :data, :trace FROM (SELECT COALESCE(MAX(id), 0) AS id FROM events) AS newest "
    "RETURNING id";

// An import records about ten.
struct InsertEvent final : StatementCache::Statement {
    explicit InsertEvent(DatabaseConnection& sql) : statement(sql)
    {
        statement.exchange(into(id));
        statement.exchange(use(type));
        statement.exchange(use(data));
        statement.exchange(use(trace));
        statement.alloc();
        statement.prepare(insert_text);
        statement.define_and_bind();
    }
    long long run(std::string_view type_, const std::string& data_)
    {
        type = type_;
        data = data_;
        trace = current_trace();
        statement.execute();
        while (statement.fetch()) // to its end: a statement that is left in the middle cannot be committed
            ;
        return id;
    }

    std::string type, data, trace;
    long long id = 0;
    soci::statement statement;
};

long long insert_row(DatabaseConnection& sql, std::string_view type, const std::string& data)
{
    auto* known = dynamic_cast<InsertEvent*>(sql.statements.find(insert_text));
    if (known == nullptr) {
        auto prepared = std::make_unique<InsertEvent>(sql);
        known = static_cast<InsertEvent*>(sql.statements.put(insert_text, std::move(prepared)));
    }
    try {
        return known->run(type, data);
    } catch (...) {
        sql.statements.erase(insert_text);
        throw;
    }
}

// Other processes read the rows; where there are none, the signal has the event.
void insert_event(DatabaseConnection& sql, std::string_view type, const std::string& data)
{
    const auto is_first = std::ranges::find(sql.signals, topic, &SentSignal::topic) == sql.signals.end();
    if (is_first) sql.dialect.lock_briefly(sql, "vitrine.events");
    const auto id = insert_row(sql, type, data);
    if (sql.dialect.is_shared())
        send_signal(sql, topic);
    else
        sql.signals.push_back(
            {std::string(topic), fmt::format("{} {} {}", id, type, data)}); // no other is equal
}

std::vector<Event> fetch_events(DatabaseConnection& sql, const std::string& condition, long long id,
                                std::size_t limit)
{
    const auto count = static_cast<long long>(limit);
    long long row = 0;
    Event event;
    std::vector<Event> events;
    PreparedStatement select =
        (sql.prepare << "SELECT id, type, data FROM events WHERE " + condition + " LIMIT :count", into(row),
         into(event.type), into(event.data), use(id), use(count));
    for (select.execute(); select.fetch();) {
        event.id = static_cast<std::uint64_t>(row);
        events.push_back(event);
    }
    return events;
}

} // namespace

void record_event(DatabaseConnection& sql, std::string_view type, const AssetRecord& asset)
{
    insert_event(sql, type, api::event_data(type, asset));
}

void record_event(DatabaseConnection& sql, std::string_view type, const std::string& json)
{
    insert_event(sql, type, json);
}

void record_event(DatabaseConnection& sql, const JobRecord& job)
{
    insert_event(sql, "job", api::event_data(job));
}

void record_event(DatabaseConnection& sql, const AssetRecord& asset, const api::Version& version)
{
    insert_event(sql, "asset.version", api::event_data(asset, version));
}

std::vector<Event> Catalog::events_after(std::uint64_t id, std::size_t limit) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        return fetch_events(sql, "id > :id ORDER BY id", static_cast<long long>(id), limit);
    });
}

std::vector<Event> Catalog::newest_events(std::size_t limit) const
{
    auto events = impl_->connections.read(
        [&](DatabaseConnection& sql) { return fetch_events(sql, "id > :id ORDER BY id DESC", 0, limit); });
    std::ranges::reverse(events);
    return events;
}

void Catalog::remove_old_events(std::size_t kept, std::chrono::seconds age)
{
    impl_->connections.write_unsynced([&](DatabaseConnection& sql) {
        const auto count =
            static_cast<long long>(std::max<std::size_t>(kept, 1)); // ids go on from the newest
        const long long time = std::chrono::microseconds(age).count();
        sql << "DELETE FROM events WHERE id <= "
               "(SELECT id FROM events ORDER BY id DESC LIMIT 1 OFFSET :kept)" +
                   until_delivered,
            use(count);
        // An id is the time of the event, or a little more.
        sql << "DELETE FROM events WHERE id < now_micros() - :age AND id < (SELECT MAX(id) FROM events)" +
                   until_delivered,
            use(time);
    });
}

} // namespace vitrine::server
