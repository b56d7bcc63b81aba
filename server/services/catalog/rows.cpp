#include "server/services/catalog/rows.hpp"

#include <string_view>

#include <fmt/format.h>

#include "server/util/sha256.hpp"

namespace vitrine::server {

namespace {

std::uint64_t count(long long value)
{
    return static_cast<std::uint64_t>(value);
}

std::optional<ImportProblem> find_problem(const ImportProblem& columns)
{
    return columns.code.empty() ? std::nullopt : std::optional(columns);
}

struct AssetRow {
    AssetRecord record;
    ImportProblem problem;
    std::string status;
    long long version = 0, revision = 0, created = 0, updated = 0, deleted = 0, size = 0, thumbnail = 0;
    long long counts[8] = {};

    // What SELECT asks for and where it goes.
    template <class Visit>
    void visit_columns(Visit visit)
    {
        visit("a.id", record.id);
        visit("a.name", record.name);
        visit("a.status", status);
        visit("a.version", version);
        visit("a.revision", revision);
        visit("a.created", created);
        visit("a.updated", updated);
        visit("a.deleted", deleted);
        visit("v.size_bytes", size);
        visit("v.main_file", record.main_file);
        visit("v.source", record.content_hash);
        visit("v.job", record.job);
        visit("v.problem_code", problem.code);
        visit("v.problem_where", problem.where);
        visit("v.problem_detail", problem.detail);
        visit("v.format", record.format);
        visit("v.generator", record.generator);
        visit("v.meshes", counts[0]);
        visit("v.vertices", counts[1]);
        visit("v.polygons", counts[2]);
        visit("v.triangles", counts[3]);
        visit("v.joints", counts[4]);
        visit("v.clips", counts[5]);
        visit("v.materials", counts[6]);
        visit("v.images", counts[7]);
        visit("v.summary", record.summary);
        visit("v.thumbnail", thumbnail);
        visit("v.user_clips", record.user_clips);
    }

    AssetRecord get() const
    {
        AssetRecord asset = record;
        if (!asset.user_clips.empty())
            asset.content_hash = sha256_hex(asset.content_hash + "\n" + asset.user_clips);
        asset.status = api::find_asset_status(status).value_or(AssetStatus::failed);
        asset.version = static_cast<std::uint32_t>(version);
        asset.revision = revision;
        asset.created = created;
        asset.updated = updated;
        asset.deleted = deleted;
        asset.size_bytes = count(size);
        asset.problem = find_problem(problem);
        asset.counts = {count(counts[0]), count(counts[1]), count(counts[2]), count(counts[3]),
                        count(counts[4]), count(counts[5]), count(counts[6]), count(counts[7])};
        asset.has_thumbnail = thumbnail != 0;
        return asset;
    }
};

struct JobRow {
    JobRecord record;
    ImportProblem problem;
    std::string state, stage;
    long long version = 0, attempts = 0, created = 0, started = 0, finished = 0;

    template <class Visit>
    void visit_columns(Visit visit)
    {
        visit("id", record.id);
        visit("kind", record.kind);
        visit("asset", record.asset);
        visit("version", version);
        visit("state", state);
        visit("stage", stage);
        visit("progress", record.progress);
        visit("attempts", attempts);
        visit("problem_code", problem.code);
        visit("problem_where", problem.where);
        visit("problem_detail", problem.detail);
        visit("created", created);
        visit("started", started);
        visit("finished", finished);
    }

    JobRecord get() const
    {
        JobRecord job = record;
        job.version = static_cast<std::uint32_t>(version);
        job.state = api::find_job_state(state).value_or(JobState::failed);
        job.stage = api::find_job_stage(stage).value_or(JobStage::load);
        job.attempts = static_cast<std::uint32_t>(attempts);
        job.problem = find_problem(problem);
        job.created = created;
        job.started = started;
        job.finished = finished;
        return job;
    }
};

template <class Row>
std::string select_columns()
{
    std::string text;
    Row row;
    row.visit_columns([&](std::string_view column, const auto&) {
        text.append(text.empty() ? "SELECT " : ", ").append(column);
    });
    return text;
}

template <class Row>
auto fetch(soci::session& sql, const std::string& text, Binds& binds)
{
    Row row;
    std::vector<decltype(row.get())> records;
    soci::statement st(sql);
    row.visit_columns([&](std::string_view, auto& value) { st.exchange(soci::into(value)); });
    binds.attach(st);
    st.alloc();
    st.prepare(text);
    st.define_and_bind();
    st.execute();
    while (st.fetch())
        records.push_back(row.get());
    return records;
}

} // namespace

std::string select_assets()
{
    return select_columns<AssetRow>() +
           " FROM assets a JOIN versions v ON v.asset = a.id AND v.number = a.version ";
}

std::string select_jobs()
{
    return select_columns<JobRow>() + " FROM jobs ";
}

std::string Binds::add(std::string text)
{
    values_.push_back({fmt::format("p{}", values_.size()), std::move(text)});
    return ":" + values_.back().name;
}

std::string Binds::add(long long number)
{
    values_.push_back({fmt::format("p{}", values_.size()), std::nullopt, number});
    return ":" + values_.back().name;
}

void Binds::attach(soci::statement& statement)
{
    for (auto& value : values_) {
        if (value.text)
            statement.exchange(soci::use(*value.text, value.name));
        else
            statement.exchange(soci::use(value.number, value.name));
    }
}

std::vector<AssetRecord> fetch_assets(soci::session& sql, const std::string& text, Binds& binds)
{
    return fetch<AssetRow>(sql, text, binds);
}

std::vector<JobRecord> fetch_jobs(soci::session& sql, const std::string& text, Binds& binds)
{
    return fetch<JobRow>(sql, text, binds);
}

std::optional<AssetRecord> find_asset_row(soci::session& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_assets(sql, select_assets() + "WHERE a.id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::optional<JobRecord> find_job_row(soci::session& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_jobs(sql, select_jobs() + "WHERE id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

} // namespace vitrine::server
