#include "server/services/response_jobs/response_jobs.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <prometheus/gauge.h>
#include <spdlog/spdlog.h>

#include "api/problem.hpp"
#include "loaders/base/stop.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/util/ids.hpp"
#include "server/util/process_owner.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::string_view id_prefix = "response";
constexpr std::chrono::milliseconds watch_pause{100};

std::string problem_text(const char* code, std::string detail)
{
    const api::Problem problem{.status = 503, .code = code, .detail = std::move(detail), .retry_after_s = 1};
    return boost::json::serialize(api::to_json(problem));
}

std::string interrupted_problem()
{
    return problem_text("stopping", "The process that made the response has ended; send the request again.");
}

bool has_ended(api::JobState state)
{
    return state != api::JobState::queued && state != api::JobState::running;
}

std::optional<ResponseJob> find_row(DatabaseConnection& sql, const std::string& id)
{
    ResponseJob job;
    std::string state, owner;
    long long created = 0, started = 0, finished = 0;
    const long long age = std::chrono::microseconds(ResponseJobs::retention).count();
    sql << "SELECT id, target, method, principal, state, owner, created, started, finished, problem "
           "FROM response_jobs WHERE id = :id AND created >= now_micros() - :age",
        into(job.id), into(job.request.target), into(job.request.method), into(job.request.principal),
        into(state), into(owner), into(created), into(started), into(finished), into(job.problem), use(id),
        use(age);
    if (!sql.got_data()) return std::nullopt;
    job.state = api::find_job_state(state).value_or(api::JobState::failed);
    job.created = created;
    job.started = started;
    job.finished = finished;
    if (has_ended(job.state) || !is_dead(owner)) return job;
    job.state = api::JobState::failed;
    job.problem = interrupted_problem();
    job.finished = std::max(job.created, job.started); // not known better
    return job;
}

std::unexpected<ServiceError> no_response_job(const std::string& id)
{
    return make_error(Errc::not_found, "no_job", fmt::format("there is no job '{}'", id));
}

// Removes jobs that are too old or too many; their ids ascend by time. Returns the ids of those that may have
// a kept answer.
std::vector<std::string> remove_old_rows(DatabaseConnection& sql)
{
    const std::string is_old = "(created < now_micros() - :age OR id < "
                               "(SELECT id FROM response_jobs ORDER BY id DESC LIMIT 1 OFFSET :most))";
    const long long age = std::chrono::microseconds(ResponseJobs::retention).count(),
                    most = ResponseJobs::max_kept;
    std::string id;
    std::vector<std::string> ids;
    PreparedStatement rows =
        (sql.prepare << "SELECT id FROM response_jobs WHERE method <> 'GET' AND " + is_old, into(id),
         use(age), use(most));
    for (rows.execute(); rows.fetch();)
        ids.push_back(id);
    sql << "DELETE FROM response_jobs WHERE " + is_old, use(age), use(most);
    return ids;
}

} // namespace

bool is_response_job(std::string_view id)
{
    return id.starts_with(id_prefix);
}

class ResponseJobs::RunningEntry {
public:
    RunningEntry(ResponseJobs& jobs, const Waiting& job) : jobs_(jobs)
    {
        {
            const std::lock_guard lock(jobs_.mutex_);
            place_ =
                jobs_.running_.insert(jobs_.running_.end(), {.id = job.id, .end = Clock::now() + job.limit});
            if (jobs_.stopping_) place_->stop.request_stop();
        }
        jobs_.changed_.notify_one();
    }
    ~RunningEntry()
    {
        const std::lock_guard lock(jobs_.mutex_);
        jobs_.running_.erase(place_);
    }
    RunningEntry(const RunningEntry&) = delete;
    RunningEntry& operator=(const RunningEntry&) = delete;

    std::stop_token token() const { return place_->stop.get_token(); }
    bool is_late() const
    {
        const std::lock_guard lock(jobs_.mutex_);
        return place_->is_late;
    }

private:
    ResponseJobs& jobs_;
    std::list<Running>::iterator place_;
};

ResponseJobs::ResponseJobs(DatabaseConnections& database, DerivedCache& derived,
                           prometheus::Registry& registry)
    : database_(database), answers_(derived),
      waiting_gauge_(prometheus::BuildGauge()
                         .Name("vitrine_response_jobs_waiting")
                         .Help("Responses to Prefer: respond-async that wait or are made")
                         .Register(registry)
                         .Add({})),
      watch_([this](const std::stop_token& stop) { watch(stop); }), pool_(threads, max_waiting + threads)
{
}

ResponseJobs::~ResponseJobs()
{
    stop();
}

void ResponseJobs::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (auto& one : running_)
            one.stop.request_stop();
    }
    pool_.stop();
    watch_.request_stop();
    if (watch_.joinable()) watch_.join();
}

void ResponseJobs::watch(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !running_.empty(); }) && !stop.stop_requested()) {
        for (auto& one : running_)
            if (!one.stop.stop_requested() && Clock::now() >= one.end) {
                one.is_late = true;
                one.stop.request_stop();
            }
        changed_.wait_for(lock, stop, watch_pause, [] { return false; });
    }
}

void ResponseJobs::insert(const ResponseJob& job)
{
    const auto expired = database_.write_unsynced([&](DatabaseConnection& sql) {
        const auto owner = process_owner();
        sql << "INSERT INTO response_jobs (id, target, method, principal, state, owner, created) "
               "VALUES (:id, :target, :method, :principal, 'queued', :owner, now_micros())",
            use(job.id), use(job.request.target), use(job.request.method), use(job.request.principal),
            use(owner);
        return remove_old_rows(sql);
    });
    for (const auto& id : expired)
        answers_.remove(id);
}

Result<ResponseJob> ResponseJobs::start(const DeferredRequest& request, std::chrono::milliseconds limit,
                                        Work work)
{
    const auto too_many = [] {
        return make_error(Errc::busy, "server_busy", "too many responses are being made; try again later", 5);
    };
    if (waiting_ >= max_waiting + threads) return too_many();
    const ResponseJob job{.id = new_id(id_prefix), .request = request};
    insert(job);
    waiting_gauge_.Set(static_cast<double>(++waiting_));
    auto waiting = std::make_shared<const Waiting>(
        Waiting{.id = job.id, .trace = current_trace(), .limit = limit, .work = std::move(work)});
    const bool posted = pool_.post([this, waiting = std::move(waiting)] {
        run(*waiting);
        waiting_gauge_.Set(static_cast<double>(--waiting_));
    });
    if (posted) return find(job.id);
    --waiting_;
    end(job.id, interrupted_problem());
    return too_many();
}

Result<ResponseJob> ResponseJobs::find(const std::string& id) const
{
    auto job = database_.read([&](DatabaseConnection& sql) { return find_row(sql, id); });
    if (!job) return no_response_job(id);
    return std::move(*job);
}

Result<ResponseJob> ResponseJobs::cancel(const std::string& id)
{
    auto cancelled = database_.write_unsynced([&](DatabaseConnection& sql) -> Result<ResponseJob> {
        std::string changed;
        sql << "UPDATE response_jobs SET state = 'cancelled', finished = now_micros() WHERE id = :id AND "
               "state IN "
               "('queued', 'running') RETURNING id",
            into(changed), use(id);
        const bool was_open = sql.got_data();
        auto job = find_row(sql, id);
        if (!job) return no_response_job(id);
        if (!was_open) return make_error(Errc::conflict, "job_finished", "the job has already ended");
        return std::move(*job);
    });
    const std::lock_guard lock(mutex_);
    for (auto& one : running_)
        if (cancelled && one.id == id) one.stop.request_stop();
    return cancelled;
}

// A job that was cancelled stays so.
void ResponseJobs::end(const std::string& id, const std::string& problem) const
{
    const std::string state = problem.empty() ? "succeeded" : "failed";
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE response_jobs SET state = :state, problem = :problem, finished = now_micros() WHERE "
               "id = "
               ":id AND state IN ('queued', 'running')",
            use(state), use(problem), use(id);
    });
}

std::string ResponseJobs::make(const Waiting& job)
{
    const RunningEntry entry(*this, job);
    try {
        const StopScope scope(entry.token());
        check_stop();
        return job.work(job.id);
    } catch (const Stopped&) {
        if (!entry.is_late()) return interrupted_problem();
        const auto seconds = std::chrono::duration<double>(job.limit).count();
        return problem_text("time_limit_exceeded",
                            fmt::format("The response has taken longer than {} s; ask for less.", seconds));
    }
}

void ResponseJobs::run(const Waiting& job)
{
    const TraceScope trace(job.trace);
    try {
        const bool is_wanted = database_.write_unsynced([&](DatabaseConnection& sql) {
            std::string begun;
            sql << "UPDATE response_jobs SET state = 'running', started = now_micros() WHERE id = :id AND "
                   "state = 'queued' RETURNING id",
                into(begun), use(job.id);
            return sql.got_data();
        });
        if (is_wanted) end(job.id, make(job));
    } catch (const std::exception& error) { // it is removed when it is old
        spdlog::error("msg=\"state of a response not stored\" job={} error={:?}", job.id,
                      std::string_view(error.what()));
    }
}

} // namespace vitrine::server
