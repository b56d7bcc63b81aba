#include "server/services/catalog/rows.hpp"

#include <fmt/format.h>

#include "server/util/sha256.hpp"

namespace vitrine::server {

const std::string_view select_assets =
    "SELECT a.id, a.name, a.status, a.version, a.revision, a.created, a.updated, a.deleted, v.size_bytes, "
    "v.main_file, v.source, v.job, v.problem_code, v.problem_where, v.problem_detail, v.format, v.generator, "
    "v.meshes, v.vertices, v.polygons, v.triangles, v.joints, v.clips, v.materials, v.images, v.summary, "
    "v.thumbnail, v.user_clips FROM assets a JOIN versions v ON v.asset = a.id AND v.number = a.version ";

const std::string_view select_jobs =
    "SELECT id, kind, asset, version, state, stage, progress, attempts, problem_code, problem_where, "
    "problem_detail, created, started, finished FROM jobs ";

namespace {

std::uint64_t count(long long value)
{
    return static_cast<std::uint64_t>(value);
}

std::optional<ProblemRecord> problem_of(const ProblemRecord& columns)
{
    return columns.code.empty() ? std::nullopt : std::optional(columns);
}

struct AssetRow {
    AssetRecord record;
    ProblemRecord problem;
    std::string status;
    long long version = 0, revision = 0, created = 0, updated = 0, deleted = 0, size = 0, thumbnail = 0;
    long long counts[8] = {};

    void attach(soci::statement& st)
    {
        using soci::into;
        for (auto* text : {&record.id, &record.name, &status})
            st.exchange(into(*text));
        for (auto* number : {&version, &revision, &created, &updated, &deleted, &size})
            st.exchange(into(*number));
        for (auto* text : {&record.main_file, &record.source, &record.job, &problem.code, &problem.where,
                           &problem.detail, &record.format, &record.generator})
            st.exchange(into(*text));
        for (auto& number : counts)
            st.exchange(into(number));
        st.exchange(into(record.summary));
        st.exchange(into(thumbnail));
        st.exchange(into(record.user_clips));
    }

    AssetRecord get() const
    {
        AssetRecord asset = record;
        if (!asset.user_clips.empty()) asset.source = sha256_hex(asset.source + "\n" + asset.user_clips);
        asset.status = find_asset_status(status).value_or(AssetStatus::failed);
        asset.version = static_cast<std::uint32_t>(version);
        asset.revision = revision;
        asset.created = created;
        asset.updated = updated;
        asset.deleted = deleted;
        asset.size_bytes = count(size);
        asset.problem = problem_of(problem);
        asset.counts = {count(counts[0]), count(counts[1]), count(counts[2]), count(counts[3]),
                        count(counts[4]), count(counts[5]), count(counts[6]), count(counts[7])};
        asset.has_thumbnail = thumbnail != 0;
        return asset;
    }
};

struct JobRow {
    JobRecord record;
    ProblemRecord problem;
    std::string state, stage;
    long long version = 0, attempts = 0, created = 0, started = 0, finished = 0;

    void attach(soci::statement& st)
    {
        using soci::into;
        for (auto* text : {&record.id, &record.kind, &record.asset})
            st.exchange(into(*text));
        st.exchange(into(version));
        st.exchange(into(state));
        st.exchange(into(stage));
        st.exchange(into(record.progress));
        st.exchange(into(attempts));
        for (auto* text : {&problem.code, &problem.where, &problem.detail})
            st.exchange(into(*text));
        for (auto* number : {&created, &started, &finished})
            st.exchange(into(*number));
    }

    JobRecord get() const
    {
        JobRecord job = record;
        job.version = static_cast<std::uint32_t>(version);
        job.state = find_job_state(state).value_or(JobState::failed);
        job.stage = find_job_stage(stage).value_or(JobStage::load);
        job.attempts = static_cast<std::uint32_t>(attempts);
        job.problem = problem_of(problem);
        job.created = created;
        job.started = started;
        job.finished = finished;
        return job;
    }
};

template <class Row>
auto fetch(soci::session& sql, const std::string& text, Binds& binds)
{
    Row row;
    std::vector<decltype(row.get())> records;
    soci::statement st(sql);
    row.attach(st);
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
    auto found = fetch_assets(sql, std::string(select_assets) + "WHERE a.id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::optional<JobRecord> find_job_row(soci::session& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_jobs(sql, std::string(select_jobs) + "WHERE id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

} // namespace vitrine::server
