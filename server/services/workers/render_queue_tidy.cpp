// What keeps the queue of images in order after workers and waiting processes have ended.

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/io/base64.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/workers/row_text.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

struct LostRequest {
    std::string id, model;
    long long losses = 0; // before this one
};

std::vector<LostRequest> find_lost(DatabaseConnection& sql)
{
    LostRequest row;
    std::vector<LostRequest> lost;
    PreparedStatement st =
        (sql.prepare << fmt::format("SELECT id, model, losses FROM render_requests WHERE state = "
                                    "'running' AND lease_until <= now_micros() LIMIT 100{}",
                                    sql.dialect.words().skip_locked),
         into(row.id), into(row.model), into(row.losses));
    for (st.execute(); st.fetch();)
        lost.push_back(row);
    return lost;
}

// `limit`: of rows. Transactions at the same time may exceed it by their own rows until the next one.
void insert_quarantined(DatabaseConnection& sql, const std::string& model, long long limit)
{
    sql << "INSERT INTO quarantined_models (model, created) VALUES (:model, now_micros()) "
           "ON CONFLICT (model) DO NOTHING",
        use(model);
    std::string ended;
    PreparedStatement st =
        (sql.prepare << "DELETE FROM quarantined_models WHERE model IN (SELECT model FROM "
                        "quarantined_models ORDER BY created DESC, model LIMIT 1000 OFFSET "
                        ":limit) RETURNING model",
         into(ended), use(limit));
    for (st.execute(); st.fetch();)
        spdlog::warn("msg=\"quarantine ended early: there are {} newer ones\" model={}", limit, ended);
}

// `alone`: microseconds until it can be reserved.
void requeue(DatabaseConnection& sql, const LostRequest& lost, long long alone)
{
    sql << "UPDATE render_requests SET state = 'queued', losses = losses + 1, preferred = '', worker = '', "
           "lease_until = now_micros() + :alone WHERE id = :id",
        use(alone), use(lost.id);
    send_signal(sql, render_queued_topic);
}

void fail_quarantined(DatabaseConnection& sql, const LostRequest& lost, long long limit)
{
    spdlog::error("msg=\"model quarantined: two workers have ended while they drew it\" model={}",
                  lost.model);
    insert_quarantined(sql, lost.model, limit);
    const auto outcome = problem_outcome(422, "render_quarantined", quarantined_detail);
    const auto body = io::encode_base64(outcome.body);
    const long long status = outcome.status;
    sql << "UPDATE render_requests SET state = 'done', status = :status, content_type = :type, body = :body, "
           "losses = losses + 1, finished = now_micros() WHERE id = :id",
        use(status), use(outcome.content_type), use(body), use(lost.id);
    send_signal(sql, render_done_topic, lost.id);
}

} // namespace

void RenderQueue::tidy()
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& lost : find_lost(sql))
            if (lost.losses + 1 >= limits_.max_losses)
                fail_quarantined(sql, lost, limits_.max_quarantined);
            else
                requeue(sql, lost, to_micros(limits_.alone));
        const long long keep = to_micros(limits_.keep), age = to_micros(limits_.quarantine);
        sql << fmt::format("DELETE FROM render_requests WHERE id IN (SELECT id FROM render_requests WHERE "
                           "(state = 'queued' AND wanted_until <= now_micros()) OR "
                           "(state = 'done' AND finished <= now_micros() - :keep){})",
                           sql.dialect.words().skip_locked),
            use(keep);
        sql << "DELETE FROM quarantined_models WHERE created <= now_micros() - :age", use(age);
    });
}

void RenderQueue::quarantine(const std::string& model)
{
    database_.write(
        [&](DatabaseConnection& sql) { insert_quarantined(sql, model, limits_.max_quarantined); });
}

void RenderQueue::lift_quarantine(const std::vector<std::string>& models)
{
    database_.write([&](DatabaseConnection& sql) {
        for (const auto& model : models)
            sql << "DELETE FROM quarantined_models WHERE model = :model", use(model);
    });
}

std::vector<std::string> RenderQueue::quarantined() const
{
    return database_.read([](DatabaseConnection& sql) {
        std::string model;
        std::vector<std::string> models;
        PreparedStatement st =
            (sql.prepare << "SELECT model FROM quarantined_models ORDER BY created DESC", into(model));
        for (st.execute(); st.fetch();)
            models.push_back(model);
        return models;
    });
}

} // namespace vitrine::server
