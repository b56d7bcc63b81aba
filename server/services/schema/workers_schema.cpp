#include "server/services/schema/schema.hpp"

#include <fmt/format.h>

namespace vitrine::server {

// render_requests.id is the digest of the image's key, so that equal requests are one row. `wanted_until`: as
// long as somebody waits; `claims` fences the writes of a worker; `losses`: workers that ended while they
// drew it; `body` is base64.
std::vector<std::string> workers_migration(const Dialect& dialect)
{
    return {R"(CREATE TABLE workers (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            role TEXT NOT NULL,
            devices TEXT NOT NULL,
            viewer_slots BIGINT NOT NULL,
            draw_slots BIGINT NOT NULL,
            viewers BIGINT NOT NULL,
            draws BIGINT NOT NULL,
            imports BIGINT NOT NULL,
            started BIGINT NOT NULL,
            heartbeat BIGINT NOT NULL))",
            fmt::format(R"(CREATE TABLE render_requests (
            seq {},
            id TEXT NOT NULL UNIQUE,
            model TEXT NOT NULL,
            preferred TEXT NOT NULL,
            request TEXT NOT NULL,
            priority BIGINT NOT NULL,
            created BIGINT NOT NULL,
            wanted_until BIGINT NOT NULL,
            state TEXT NOT NULL DEFAULT 'queued',
            claims BIGINT NOT NULL DEFAULT 0,
            losses BIGINT NOT NULL DEFAULT 0,
            worker TEXT NOT NULL DEFAULT '',
            lease_until BIGINT NOT NULL DEFAULT 0,
            finished BIGINT NOT NULL DEFAULT 0,
            status BIGINT NOT NULL DEFAULT 0,
            content_type TEXT NOT NULL DEFAULT '',
            body TEXT NOT NULL DEFAULT ''))",
                        dialect.words().identity),
            "CREATE INDEX render_requests_queued ON render_requests (priority, seq) WHERE state = 'queued'",
            "CREATE INDEX render_requests_running ON render_requests (worker) WHERE state = 'running'",
            "CREATE INDEX render_requests_done ON render_requests (finished) WHERE state = 'done'",
            "CREATE TABLE quarantined_models (model TEXT PRIMARY KEY, created BIGINT NOT NULL)"};
}

// `etag`: of what was drawn; `avoided`: the worker that has drawn something else than was asked for.
std::vector<std::string> drawn_tags_migration()
{
    return {"ALTER TABLE render_requests ADD COLUMN etag TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE render_requests ADD COLUMN avoided TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX render_requests_lost ON render_requests (priority, seq) "
            "WHERE state = 'queued' AND losses > 0"};
}

// Interactive jobs are claimed before bulk ones, and jobs are listed by time and by asset. `run_after` is 0
// but for queued jobs that wait for another attempt.
std::vector<std::string> job_priorities_migration()
{
    return {"ALTER TABLE jobs ADD COLUMN priority TEXT NOT NULL DEFAULT 'interactive'",
            "UPDATE jobs SET priority = 'bulk' WHERE kind = 'refresh'",
            "UPDATE jobs SET run_after = 0 WHERE state <> 'queued' AND run_after <> 0",
            ("CREATE INDEX jobs_by_priority ON jobs ((stage = 'thumbnail'), priority DESC, turn, seq) "
             "WHERE state = 'queued'"),
            "CREATE INDEX jobs_by_created ON jobs (created, id)",
            "CREATE INDEX jobs_by_asset ON jobs (asset, created, id)"};
}

} // namespace vitrine::server
