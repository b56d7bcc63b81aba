#include "server/services/schema/schema.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "server/services/database/database_connections.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {
namespace {

// Times are microseconds since 1970. Empty text and 0 mean "not set"; no column is NULL. The assets table has
// a copy of the columns that lists filter and sort by; the row of the newest version is authoritative.
std::vector<std::string> first_migration(const Dialect& dialect)
{
    const auto words = dialect.words();
    std::vector<std::string> statements{
        fmt::format(R"(CREATE TABLE assets (
            seq {},
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            name_key {} NOT NULL,
            status TEXT NOT NULL,
            version BIGINT NOT NULL,
            revision BIGINT NOT NULL,
            created BIGINT NOT NULL,
            updated BIGINT NOT NULL,
            deleted BIGINT NOT NULL DEFAULT 0,
            format TEXT NOT NULL DEFAULT '',
            triangles BIGINT NOT NULL DEFAULT 0,
            joints BIGINT NOT NULL DEFAULT 0,
            clips BIGINT NOT NULL DEFAULT 0,
            search_text TEXT NOT NULL DEFAULT ''))",
                    words.identity, words.ordered_text),
        "CREATE INDEX assets_by_created ON assets (created, seq) WHERE deleted = 0",
        "CREATE INDEX assets_by_name ON assets (name_key, seq) WHERE deleted = 0",
        "CREATE INDEX assets_by_triangles ON assets (triangles, seq) WHERE deleted = 0",
        "CREATE INDEX assets_in_trash ON assets (deleted, seq) WHERE deleted > 0",
        R"(CREATE TABLE versions (
            asset TEXT NOT NULL REFERENCES assets (id),
            number BIGINT NOT NULL,
            source TEXT NOT NULL,
            main_file TEXT NOT NULL,
            size_bytes BIGINT NOT NULL,
            created BIGINT NOT NULL,
            job TEXT NOT NULL,
            problem_code TEXT NOT NULL DEFAULT '',
            problem_where TEXT NOT NULL DEFAULT '',
            problem_detail TEXT NOT NULL DEFAULT '',
            format TEXT NOT NULL DEFAULT '',
            generator TEXT NOT NULL DEFAULT '',
            meshes BIGINT NOT NULL DEFAULT 0,
            vertices BIGINT NOT NULL DEFAULT 0,
            polygons BIGINT NOT NULL DEFAULT 0,
            triangles BIGINT NOT NULL DEFAULT 0,
            joints BIGINT NOT NULL DEFAULT 0,
            clips BIGINT NOT NULL DEFAULT 0,
            materials BIGINT NOT NULL DEFAULT 0,
            images BIGINT NOT NULL DEFAULT 0,
            summary TEXT NOT NULL DEFAULT '',
            thumbnail BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (asset, number)))",
        "CREATE INDEX versions_by_source ON versions (source)",
        fmt::format(R"(CREATE TABLE files (
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            name {} NOT NULL,
            blob TEXT NOT NULL,
            size_bytes BIGINT NOT NULL,
            PRIMARY KEY (asset, version, name)))",
                    words.ordered_text),
        "CREATE INDEX files_by_blob ON files (blob)",
        R"(CREATE TABLE facts (
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            kind TEXT NOT NULL,
            json TEXT NOT NULL,
            PRIMARY KEY (asset, version, kind)))",
        fmt::format(R"(CREATE TABLE jobs (
            seq {},
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            state TEXT NOT NULL,
            stage TEXT NOT NULL,
            progress DOUBLE PRECISION NOT NULL DEFAULT 0,
            attempts BIGINT NOT NULL DEFAULT 0,
            problem_code TEXT NOT NULL DEFAULT '',
            problem_where TEXT NOT NULL DEFAULT '',
            problem_detail TEXT NOT NULL DEFAULT '',
            created BIGINT NOT NULL,
            started BIGINT NOT NULL DEFAULT 0,
            finished BIGINT NOT NULL DEFAULT 0,
            run_after BIGINT NOT NULL DEFAULT 0,
            lease_owner TEXT NOT NULL DEFAULT '',
            lease_until BIGINT NOT NULL DEFAULT 0,
            cancel_requested BIGINT NOT NULL DEFAULT 0))",
                    words.identity),
        "CREATE INDEX jobs_queued ON jobs (seq) WHERE state = 'queued'",
        "CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running'",
    };
    std::ranges::move(dialect.create_first_search(), std::back_inserter(statements));
    return statements;
}

// A number per claim distinguishes two workers of one process; thumbnails are claimed after the other stages.
std::vector<std::string> second_migration()
{
    return {"ALTER TABLE jobs ADD COLUMN claims BIGINT NOT NULL DEFAULT 0", "DROP INDEX jobs_queued",
            "CREATE INDEX jobs_by_turn ON jobs ((stage = 'thumbnail'), seq) WHERE state = 'queued'"};
}

std::vector<std::string> third_migration()
{
    return {
        R"(CREATE TABLE idempotency (
            name TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            created BIGINT NOT NULL,
            status BIGINT NOT NULL DEFAULT 0,
            location TEXT NOT NULL DEFAULT '',
            body TEXT NOT NULL DEFAULT ''))",
        "CREATE INDEX idempotency_by_created ON idempotency (created)",
    };
}

// Empty: no user clips. Stored in the version, because they refer to its clips.
std::vector<std::string> fourth_migration()
{
    return {"ALTER TABLE versions ADD COLUMN user_clips TEXT NOT NULL DEFAULT ''"};
}

std::vector<std::string> fifth_migration()
{
    return {"ALTER TABLE facts RENAME TO documents"};
}

// The indexes of the sort orders have the columns of the filters: counting and skipping rows needs no access
// to the table, whose rows are long.
std::vector<std::string> sixth_migration()
{
    std::vector<std::string> statements;
    for (const char* name : {"created", "name", "triangles"})
        statements.push_back(fmt::format("DROP INDEX assets_by_{}", name));
    for (const auto& [name, column, rest] :
         {std::tuple{"created", "created", "triangles, "}, std::tuple{"name", "name_key", "triangles, "},
          std::tuple{"triangles", "triangles", ""}})
        statements.push_back(
            fmt::format("CREATE INDEX assets_by_{} ON assets ({}, seq, {}status, format, joints, "
                        "clips) WHERE deleted = 0",
                        name, column, rest));
    return statements;
}

// Imports of several uploads take turns; see insert_job().
std::vector<std::string> seventh_migration()
{
    return {"ALTER TABLE jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0", "DROP INDEX jobs_by_turn",
            "CREATE INDEX jobs_by_turn ON jobs ((stage = 'thumbnail'), turn, seq) WHERE state = 'queued'"};
}

// Facts of clips that lists filter by; speed in micrometers per second. Assets imported before have none.
std::vector<std::string> eighth_migration()
{
    return {R"(CREATE TABLE clip_facets (
            asset TEXT NOT NULL,
            version BIGINT NOT NULL,
            clip BIGINT NOT NULL,
            loops BIGINT NOT NULL,
            in_place BIGINT NOT NULL,
            speed BIGINT NOT NULL,
            PRIMARY KEY (asset, version, clip)))"};
}

// The newest upload that an asset was part of; empty: of an older version.
std::vector<std::string> ninth_migration()
{
    return {"ALTER TABLE assets ADD COLUMN upload TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX assets_by_upload ON assets (upload) WHERE upload <> ''"};
}

// The search has a column for each kind of name: what is found in a name comes before what is found in a
// joint, and exact names are found without reading documents.
std::vector<std::string> tenth_migration(const Dialect& dialect)
{
    std::vector<std::string> statements{"DROP TABLE asset_search",
                                        "ALTER TABLE assets DROP COLUMN search_text"};
    std::ranges::move(dialect.create_search(search_columns), std::back_inserter(statements));
    std::ranges::move(dialect.copy_names_to_search(), std::back_inserter(statements));
    // Words of all names, in lower case; size in characters.
    statements.push_back("CREATE TABLE search_words (word TEXT PRIMARY KEY, size BIGINT NOT NULL)");
    statements.push_back("CREATE INDEX search_words_by_size ON search_words (size, word)");
    std::ranges::move(dialect.functions(), std::back_inserter(statements));
    return statements;
}

long long current_version(soci::session& sql)
{
    sql << "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, applied BIGINT NOT NULL)";
    long long version = 0;
    sql << "SELECT COALESCE(MAX(number), 0) FROM migrations", soci::into(version);
    return version;
}

std::vector<std::vector<std::string>> migrations_before_tags(const Dialect& dialect)
{
    return {first_migration(dialect),   second_migration(),      third_migration(),
            fourth_migration(),         fifth_migration(),       sixth_migration(),
            seventh_migration(),        eighth_migration(),      ninth_migration(),
            tenth_migration(dialect),   facts_migration(),       events_migration(),
            workers_migration(dialect), blob_ledger_migration(), events_by_id_migration(dialect),
            drawn_tags_migration(),     uploads_migration(),     access_tokens_migration(),
            versions_migration(),       audit_migration(),       webhooks_migration(),
            similarity_migration(),     accounts_migration(),    job_priorities_migration()};
}

} // namespace

std::vector<std::vector<std::string>> migrations(const Dialect& dialect)
{
    auto all = migrations_before_tags(dialect);
    const std::vector<std::vector<std::string>> later{
        tags_migration(dialect),      libraries_migration(dialect),
        covers_migration(),           up_axes_migration(),
        favorites_migration(dialect), sign_on_migration(),
        list_columns_migration(),     notes_migration(dialect),
        searches_migration(dialect),  sharing_migration(),
        job_traces_migration(),       list_indexes_migration(dialect),
        pictures_migration(dialect),  limits_migration(),
        quotas_migration(),           fields_migration(dialect),
        collection_order_migration(), grants_migration(),
        event_traces_migration(),     response_jobs_migration(dialect),
        group_grants_migration(),     provider_logout_migration(),
        more_filters_migration(),     kept_answers_migration()};
    all.insert(all.end(), later.begin(), later.end());
    return all;
}

void migrate(DatabaseConnection& sql)
{
    const auto all = migrations(sql.dialect);
    Transaction transaction(sql, Durability::full);
    sql.dialect.lock_names(sql, {"vitrine.migrations"});
    const long long have = current_version(sql), known = static_cast<long long>(all.size());
    if (have == unfinished_move)
        throw StorageError(StorageError::Kind::failed, "the catalog is the target of a move that has not "
                                                       "ended: run `vitrine migrate` again");
    if (have > known)
        throw StorageError(
            StorageError::Kind::failed,
            fmt::format("the catalog was written by a newer version of Vitrine (schema {}, supported {})",
                        have, known));
    for (long long number = have + 1; number <= known; ++number) {
        for (const auto& statement : all[static_cast<std::size_t>(number - 1)])
            sql << statement;
        sql << "INSERT INTO migrations (number, applied) VALUES (:n, :t)", soci::use(number),
            soci::use(static_cast<long long>(now()));
    }
    for (const auto& statement : sql.dialect.complete_search(search_columns))
        sql << statement;
    transaction.commit();
}

} // namespace vitrine::server
