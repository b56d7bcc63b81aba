#include "server/services/workers/render_queue.hpp"

#include <fmt/format.h>

#include "loaders/io/base64.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/workers/row_text.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::unexpected<ServiceError> quarantined_error()
{
    return make_error(Errc::unprocessable, "render_quarantined", quarantined_detail);
}

bool is_quarantined(DatabaseConnection& sql, const std::string& model)
{
    long long found = 0;
    sql << "SELECT COUNT(*) FROM quarantined_models WHERE model = :model", into(found), use(model);
    return found != 0;
}

// Renews the row of the image if there is one; one that has failed or is something else is drawn again.
// Returns whether there is one.
bool join(DatabaseConnection& sql, const RemoteRender& render, long long wanted)
{
    std::string state, etag;
    long long status = 0;
    sql << "UPDATE render_requests SET wanted_until = now_micros() + :wanted WHERE id = :id "
           "RETURNING state, status, etag",
        into(state), into(status), into(etag), use(wanted), use(render.id);
    if (!sql.got_data()) return false;
    if (state != "done" || (status < 400 && etag == render.etag)) return true;
    sql << "UPDATE render_requests SET state = 'queued', preferred = :preferred, created = now_micros(), "
           "losses = 0, avoided = CASE WHEN status < 400 THEN worker ELSE '' END, worker = '', status = 0, "
           "body = '', etag = '' WHERE id = :id AND state = 'done'",
        use(render.preferred), use(render.id);
    send_signal(sql, render_queued_topic);
    return true;
}

long long count_queued(DatabaseConnection& sql)
{
    long long rows = 0;
    sql << "SELECT COUNT(*) FROM render_requests WHERE state = 'queued' AND wanted_until > now_micros()",
        into(rows);
    return rows;
}

void insert(DatabaseConnection& sql, const RemoteRender& render, long long wanted)
{
    const long long priority = render.priority;
    sql << "INSERT INTO render_requests (id, model, preferred, request, priority, created, wanted_until) "
           "VALUES (:id, :model, :preferred, :request, :priority, now_micros(), now_micros() + :wanted) "
           "ON CONFLICT (id) DO UPDATE SET wanted_until = excluded.wanted_until",
        use(render.id), use(render.model), use(render.preferred), use(render.request), use(priority),
        use(wanted);
    send_signal(sql, render_queued_topic);
}

} // namespace

RenderQueue::RenderQueue(DatabaseConnections& database, const RenderQueueLimits& limits)
    : database_(database), limits_(limits)
{
}

Result<void> RenderQueue::ask(const RemoteRender& render)
{
    if (render.request.size() > limits_.max_request_bytes)
        return make_error(Errc::too_large, "limit_exceeded",
                          "The parameters of the image are too long to be drawn by a worker.");
    return database_.write_unsynced([&](DatabaseConnection& sql) -> Result<void> {
        if (is_quarantined(sql, render.model)) return quarantined_error();
        const long long wanted = to_micros(limits_.wanted);
        if (join(sql, render, wanted)) return {};
        if (count_queued(sql) >= static_cast<long long>(limits_.max_queued))
            return make_error(Errc::busy, "render_queue_full",
                              "Too many images wait for a worker; try again later.", 5);
        insert(sql, render, wanted);
        return {};
    });
}

bool RenderQueue::keep(const std::string& id)
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long wanted = to_micros(limits_.wanted);
        std::string found;
        sql << "UPDATE render_requests SET wanted_until = now_micros() + :wanted WHERE id = :id RETURNING id",
            into(found), use(wanted), use(id);
        return sql.got_data();
    });
}

void RenderQueue::leave(const std::string& id)
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long rest = to_micros(limits_.wanted_after_leave);
        sql << "UPDATE render_requests SET wanted_until = now_micros() + :rest WHERE id = :id AND "
               "state <> 'done' AND wanted_until > now_micros() + :least",
            use(rest), use(id), use(rest);
    });
}

std::optional<RemoteRenderResult> RenderQueue::find_outcome(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) -> std::optional<RemoteRenderResult> {
        RemoteRenderResult outcome;
        long long status = 0;
        std::string body;
        sql << "SELECT status, content_type, body, etag FROM render_requests WHERE id = :id AND "
               "state = 'done'",
            into(status), into(outcome.content_type), into(body), into(outcome.etag), use(id);
        if (!sql.got_data()) return std::nullopt;
        outcome.status = static_cast<int>(status);
        outcome.body = from_base64(body);
        return outcome;
    });
}

bool RenderQueue::finish(const RenderClaim& claim, const RemoteRenderResult& outcome)
{
    const bool fits = outcome.body.size() <= limits_.max_body_bytes;
    const auto too_large =
        problem_outcome(503, "not_drawn", "The image is too large to be handed over by a worker.");
    const auto& sent = fits ? outcome : too_large;
    const auto body = io::encode_base64(sent.body);
    const long long status = sent.status, number = claim.claim;
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        std::string found;
        sql << "UPDATE render_requests SET state = 'done', status = :status, content_type = :type, "
               "body = :body, etag = :etag, finished = now_micros() WHERE id = :id AND state = 'running' AND "
               "claims = :claim RETURNING id",
            into(found), use(status), use(sent.content_type), use(body), use(sent.etag), use(claim.id),
            use(number);
        if (!sql.got_data()) return false;
        send_signal(sql, render_done_topic, claim.id);
        return true;
    });
}

std::size_t RenderQueue::length() const
{
    return database_.read(
        [](DatabaseConnection& sql) { return static_cast<std::size_t>(count_queued(sql)); });
}

} // namespace vitrine::server
