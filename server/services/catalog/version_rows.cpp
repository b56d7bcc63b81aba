// Rows of versions and their jobs.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/services/audit/acting_user.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr char names_separator = '\x1e'; // of the kinds of names, which are lines without control characters
constexpr std::array search_members{&SearchNames::tags, &SearchNames::clips, &SearchNames::joints,
                                    &SearchNames::materials};

SearchNames parse_search_names(std::string_view text)
{
    SearchNames names;
    for (const auto member : search_members) {
        const auto end = std::min(text.find(names_separator), text.size());
        names.*member = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

// The names that keep_search_names() has stored, which are removed.
SearchNames take_search_names(DatabaseConnection& sql, const std::string& asset, long long version)
{
    std::string text;
    sql << "SELECT json FROM documents WHERE asset = :asset AND version = :version AND kind = 'search'",
        into(text), use(asset), use(version);
    sql << "DELETE FROM documents WHERE asset = :asset AND version = :version AND kind = 'search'",
        use(asset), use(version);
    return parse_search_names(text);
}

struct VersionRow {
    long long number = 0, created = 0, size_bytes = 0, restored_from = 0, current = 0;
    std::string main_file, status, format, job, up_axis;
    ImportProblem problem;

    api::Version get() const
    {
        return {.number = static_cast<std::uint32_t>(number),
                .created = created,
                .size_bytes = static_cast<std::uint64_t>(size_bytes),
                .main_file = main_file,
                .status = api::find_asset_status(status).value_or(AssetStatus::failed),
                .problem = problem.code.empty() ? std::nullopt : std::optional(problem),
                .format = format,
                .job = job,
                .restored_from = static_cast<std::uint32_t>(restored_from),
                .up_axis = up_axis,
                .is_current = number == current};
    }
};

} // namespace

long long current_turn(DatabaseConnection& sql)
{
    long long turn = 0;
    sql << "SELECT COALESCE(MIN(turn), 0) FROM ("
           "SELECT * FROM (SELECT turn FROM jobs WHERE state = 'queued' AND (stage = 'thumbnail') = FALSE "
           "AND kind = 'import' ORDER BY turn LIMIT 1) AS imports UNION ALL "
           "SELECT * FROM (SELECT turn FROM jobs WHERE state = 'queued' AND (stage = 'thumbnail') = TRUE "
           "AND kind = 'import' ORDER BY turn LIMIT 1) AS thumbnails) AS first",
        into(turn);
    return turn;
}

std::string insert_job(DatabaseConnection& sql, const std::string& asset, long long version, long long turn,
                       std::string_view priority)
{
    const std::string word(priority);
    const auto id = new_id("job");
    const long long instant = now();
    const auto& trace = current_trace();
    sql << "INSERT INTO jobs (id, kind, asset, version, state, stage, created, turn, priority, trace) "
           "VALUES (:id, 'import', :asset, :version, 'queued', 'load', :created, :turn, :priority, :trace)",
        use(id), use(asset), use(version), use(instant), use(turn), use(word), use(trace);
    send_signal(sql, "jobs");
    return id;
}

void insert_version(DatabaseConnection& sql, const std::string& id, long long number, const NewAsset& asset,
                    const VersionOrigin& origin)
{
    auto files = asset.files;
    files.insert(files.end(), asset.attached.begin(), asset.attached.end());
    long long size = 0;
    for (const auto& file : files)
        size += static_cast<long long>(file.size_bytes);
    const auto owner = find_user_of(sql, acting_principal());
    sql << "INSERT INTO versions (asset, number, source, main_file, size_bytes, created, job, owner) "
           "VALUES (:asset, :number, :source, :main, :size, :created, :job, :owner)",
        use(id), use(number), use(origin.source_hash), use(asset.main_file), use(size), use(origin.created),
        use(origin.job), use(owner);
    std::string name, blob;
    long long bytes = 0;
    PreparedStatement insert = (sql.prepare << "INSERT INTO files (asset, version, name, blob, size_bytes) "
                                               "VALUES (:asset, :number, :name, :blob, :size)",
                                use(id), use(number), use(name), use(blob), use(bytes));
    for (const auto& file : files) {
        name = file.name;
        blob = file.blob;
        // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): `insert` is bound to it
        bytes = static_cast<long long>(file.size_bytes);
        insert.execute(true);
    }
}

void set_version_status(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                        AssetStatus status, const ImportProblem& problem)
{
    const std::string name(to_string(status));
    const long long version = number;
    sql << "UPDATE versions SET status = :status, problem_code = :code, problem_where = :where, "
           "problem_detail = :detail WHERE asset = :asset AND number = :version",
        use(name), use(problem.code), use(problem.where), use(problem.detail), use(asset), use(version);
    sql << "UPDATE assets SET status = :status WHERE id = :id AND version = :version", use(name), use(asset),
        use(version);
}

void queue_version(DatabaseConnection& sql, const AssetRecord& version, long long turn)
{
    const long long number = version.version;
    const auto job = insert_job(sql, version.id, number, turn);
    sql << "UPDATE versions SET job = :job WHERE asset = :id AND number = :number", use(job), use(version.id),
        use(number);
    const bool was_imported = version.status == AssetStatus::ready;
    set_version_status(sql, version.id, version.version,
                       was_imported ? AssetStatus::ready : AssetStatus::importing);
}

void promote_version(DatabaseConnection& sql, const std::string& asset, std::uint32_t number)
{
    set_version_status(sql, asset, number, AssetStatus::ready);
    const auto current = *find_asset_row(sql, asset);
    if (current.version >= number) return;
    const long long next = number;
    sql << "UPDATE assets SET version = :next, status = 'ready' WHERE id = :id", use(next), use(asset);
    put_list_columns(sql, asset);
    std::string name;
    sql << "SELECT name FROM versions WHERE asset = :asset AND number = :number", into(name), use(asset),
        use(next);
    if (name.empty())
        name = current.name;
    else
        rename_asset(sql, asset, name);
    const auto found = take_search_names(sql, asset, next);
    index_search(sql, asset, name, found);
    record_words(sql, name, found); // last: others wait for words that this transaction has added
}

void keep_search_names(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                       const SearchNames& names)
{
    const auto text = fmt::format("{1}{0}{2}{0}{3}{0}{4}", names_separator, names.tags, names.clips,
                                  names.joints, names.materials);
    const long long version = number;
    sql << "INSERT INTO documents (asset, version, kind, json) VALUES (:asset, :version, 'search', :json) "
           "ON CONFLICT (asset, version, kind) DO UPDATE SET json = excluded.json",
        use(asset), use(version), use(text);
}

api::Version version_of(DatabaseConnection& sql, const std::string& asset, std::uint32_t number)
{
    return fetch_versions(sql, asset, number, number).at(0);
}

bool has_running_versions(DatabaseConnection& sql, const AssetRecord& current)
{
    long long running = 0;
    const long long number = current.version;
    sql << "SELECT COUNT(*) FROM versions WHERE asset = :asset AND number > :number AND status = 'importing'",
        into(running), use(current.id), use(number);
    return running != 0;
}

std::vector<api::Version> fetch_versions(DatabaseConnection& sql, const std::string& asset, long long first,
                                         long long last)
{
    VersionRow row;
    std::vector<api::Version> versions;
    PreparedStatement select =
        (sql.prepare
             << "SELECT v.number, v.created, v.size_bytes, v.restored_from, a.version, v.main_file, "
                "v.status, v.format, v.job, v.up_axis, v.problem_code, v.problem_where, "
                "v.problem_detail FROM versions v JOIN assets a ON a.id = v.asset WHERE v.asset = :asset "
                "AND v.number BETWEEN :first AND :last ORDER BY v.number DESC",
         into(row.number), into(row.created), into(row.size_bytes), into(row.restored_from),
         into(row.current), into(row.main_file), into(row.status), into(row.format), into(row.job),
         into(row.up_axis), into(row.problem.code), into(row.problem.where), into(row.problem.detail),
         use(asset), use(first), use(last));
    for (select.execute(); select.fetch();)
        versions.push_back(row.get());
    return versions;
}

} // namespace vitrine::server
