// PostgreSQL 13 and later: many connections of many processes write at the same time. Transactions are READ
// COMMITTED; what they read to change it they lock by its row, or by a name.

#include <algorithm>
#include <array>
#include <cstring>

#include <sys/socket.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <soci/postgresql/soci-postgresql.h>

#include "server/services/database/binds.hpp"
#include "server/services/database/database_meters.hpp"
#include "server/services/database/dialect.hpp"
#include "server/services/database/libpq.hpp"
#include "server/services/database/postgres_listener.hpp"
#include "server/util/ids.hpp"

namespace vitrine::server {
namespace {

constexpr unsigned max_writers = 8;

// Empty for an error that is not the server's, for which SOCI has blanks.
std::string state_of(const soci::soci_error& error)
{
    const auto* postgres = dynamic_cast<const soci::postgresql_soci_error*>(&error);
    if (postgres == nullptr || postgres->sqlstate().starts_with(' ')) return {};
    return postgres->sqlstate();
}

// The ids that the triggers have noted in this transaction.
class PostgresChanges final : public ChangeTracker {
public:
    explicit PostgresChanges(DatabaseConnection& writer) : writer_(writer) {}

    void begin() override {}

    std::optional<std::vector<std::string>> changed() override
    {
        std::string noted;
        writer_ << "SELECT COALESCE(current_setting('vitrine.changed', true), '')", soci::into(noted);
        return parse_changed_assets(noted);
    }

private:
    DatabaseConnection& writer_;
};

// The statement's assets, separated by blanks; '*' for many. Other processes hear of them after the commit.
constexpr const char* note_assets = R"(CREATE FUNCTION vitrine_note_assets() RETURNS trigger
LANGUAGE plpgsql AS $body$
DECLARE
    noted TEXT;
    known TEXT = COALESCE(current_setting('vitrine.changed', true), '');
BEGIN
    SELECT CASE WHEN COUNT(*) > 100 THEN '*' ELSE string_agg(id, ' ') END INTO noted FROM changed_assets;
    IF noted IS NULL OR position(noted IN known) > 0 THEN
        RETURN NULL;
    END IF;
    IF length(known) > 6000 THEN
        noted = '*';
        known = '';
    END IF;
    PERFORM set_config('vitrine.changed', ltrim(known || ' ' || noted), true);
    PERFORM pg_notify('vitrine_' || TG_TABLE_SCHEMA,
                      COALESCE(current_setting('vitrine.process', true), '') || ' ' || noted);
    RETURN NULL;
END
$body$)";

class Postgres final : public Dialect {
public:
    explicit Postgres(const std::string& url) : url_(with_timeouts(url)), process_(new_id("process")) {}

    SqlWords words() const override
    {
        return {.identity = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
                .ordered_text = "TEXT COLLATE \"C\"",
                .like = "ILIKE",
                .ascii_case = " COLLATE \"C\"",
                .lock_row = " FOR UPDATE",
                .skip_locked = " FOR UPDATE SKIP LOCKED"};
    }

    std::vector<std::string> functions() const override
    {
        return {
            "CREATE FUNCTION now_micros() RETURNS BIGINT LANGUAGE SQL STABLE AS "
            "'SELECT CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)'",
            note_assets,
            "CREATE TRIGGER note_new_assets AFTER INSERT ON assets REFERENCING NEW TABLE AS changed_assets "
            "FOR EACH STATEMENT EXECUTE FUNCTION vitrine_note_assets()",
            "CREATE TRIGGER note_changed_assets AFTER UPDATE ON assets REFERENCING NEW TABLE AS "
            "changed_assets FOR EACH STATEMENT EXECUTE FUNCTION vitrine_note_assets()"};
    }

    std::vector<std::string> create_first_search() const override
    {
        return {"CREATE TABLE asset_search (text TEXT)"};
    }

    // Its index is made by complete_search().
    std::vector<std::string> create_search(std::span<const std::string_view> columns) const override
    {
        return {fmt::format("CREATE TABLE asset_search (rowid BIGINT PRIMARY KEY, {} TEXT NOT NULL)",
                            fmt::join(columns, " TEXT NOT NULL, "))};
    }

    // Without the extension pg_trgm, which the owner of a database may create, searches read all rows. It may
    // be installed in any schema; an index that another process makes at the same time is waited for by
    // lock_names(). With a long list of pending rows, all of which a search must read, it is not even used.
    std::vector<std::string> complete_search(std::span<const std::string_view> columns) const override
    {
        return {fmt::format(R"(DO $body$ DECLARE known RECORD; BEGIN
FOR known IN SELECT CAST(c.oid AS regclass) AS name, c.reloptions AS options
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
    WHERE i.indrelid = CAST('asset_search' AS regclass) AND a.amname = 'gin' AND i.indisvalid LOOP
    IF known.options IS NULL THEN EXECUTE 'ALTER INDEX ' || known.name || ' SET {1}'; END IF;
    RETURN;
END LOOP;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX ON asset_search USING gin ({0} gin_trgm_ops) WITH {1};
EXCEPTION WHEN OTHERS THEN RAISE WARNING 'searches are slow without the extension pg_trgm';
END $body$)",
                            fmt::join(columns, " gin_trgm_ops, "), "(gin_pending_list_limit = 64)")}; // kB
    }

    // No released version has written to PostgreSQL before this migration.
    std::vector<std::string> copy_names_to_search() const override { return {}; }

    std::string search_condition(std::span<const std::string_view> columns,
                                 std::span<const std::string> words, Binds& binds, std::size_t) const override
    {
        std::vector<std::string> all;
        for (const auto& word : words) {
            std::vector<std::string> any;
            for (const auto column : columns)
                any.push_back(
                    fmt::format("s.{} ILIKE {} ESCAPE '\\'", column, binds.add(like_pattern(word))));
            all.push_back(fmt::format("({})", fmt::join(any, " OR ")));
        }
        return fmt::format("{}", fmt::join(all, " AND "));
    }

    std::unique_ptr<DatabaseConnection> connect(bool writes) const override
    {
        auto connection = std::make_unique<DatabaseConnection>(*this);
        auto& sql = static_cast<soci::session&>(*connection);
        sql.open(soci::postgresql, url_);
        // Errors are exceptions; libpq would print them, and what the server says at its end, to stderr.
        PQsetNoticeProcessor(postgres_handle(*connection), [](void*, const char*) {}, nullptr);
        const auto* encoding = PQparameterStatus(postgres_handle(*connection), "server_encoding");
        if (encoding == nullptr || std::strcmp(encoding, "UTF8") != 0)
            throw StorageError(StorageError::Kind::failed,
                               fmt::format("the catalog's database must have the encoding UTF8, not {}",
                                           encoding != nullptr ? encoding : "an unknown one"));
        // The name tells moves of which catalog a connection is (other_connections).
        std::string ignored;
        sql << "SELECT set_config('client_min_messages', 'warning', false) || "
               "set_config('client_encoding', 'UTF8', false) || set_config('lock_timeout', '20s', false) || "
               "set_config('idle_in_transaction_session_timeout', '60s', false) || "
               "set_config('vitrine.process', :process, false) || set_config('application_name', "
               "current_setting('application_name') || ' ' || COALESCE(current_schema(), ''), false)",
            soci::into(ignored), soci::use(process_);
        if (!writes) sql << "SET statement_timeout = '30s'";
        // A plan that fits all words of a search reads all rows, also for a rare one (12 s of 1,000,000).
        if (!writes) sql << "SET plan_cache_mode = force_custom_plan";
        if (writes) connection->changes = std::make_unique<PostgresChanges>(*connection);
        return connection;
    }

    unsigned writers() const override { return max_writers; }
    bool is_shared() const override { return true; }

    // Always durable: workers outlive a crash of the database, and go on with what they have stored.
    void begin(DatabaseConnection& sql, Durability) const override
    {
        sql << "BEGIN ISOLATION LEVEL READ COMMITTED";
    }

    void lock_names(DatabaseConnection& sql, std::vector<std::string> names) const override
    {
        std::ranges::sort(names); // two transactions that lock several never wait for each other
        const StatementLimit limit(StatementLimit::of_locks);
        sql << "SET LOCAL lock_timeout = '10min'"; // a migration or a large upload
        for (const auto& name : names)
            lock(sql, name);
    }

    void lock_briefly(DatabaseConnection& sql, const std::string& name) const override
    {
        sql << "SET LOCAL lock_timeout = '20s'";
        sql << "SET LOCAL idle_in_transaction_session_timeout = '10s'";
        lock(sql, name);
    }

    void finish(soci::statement& statement) const override
    {
        static_cast<soci::postgresql_statement_backend*>(statement.get_backend())->result_.reset();
    }

    bool is_lost(DatabaseConnection& sql, const soci::soci_error& error) const override
    {
        const auto state = state_of(error);
        // Prepared statements whose schema has changed (0A000), or that a pooler has forgotten (26000).
        const bool is_stale = state == "0A000" || state == "26000";
        return PQstatus(postgres_handle(sql)) != CONNECTION_OK || state.starts_with("08") ||
               state.starts_with("57P") || state == "25006" || is_stale;
    }

    bool was_given_up() const override { return !why_wait_was_given_up().empty(); }

    void hang_up(DatabaseConnection& sql) const override
    {
        ::shutdown(PQsocket(postgres_handle(sql)), SHUT_RDWR);
    }

    bool is_conflict(const soci::soci_error& error) const override
    {
        return state_of(error) == "40001" || state_of(error) == "40P01";
    }

    StorageError to_storage_error(const soci::soci_error& error) const override
    {
        using enum StorageError::Kind;
        const auto state = state_of(error);
        auto kind = failed;
        // No answer, a lost connection, too many of them, a server that starts or stops, a long statement.
        if (state.empty() || state.starts_with("08") || state == "53300" || state.starts_with("57") ||
            state == "55P03")
            kind = unavailable;
        if (state == "53100") kind = full;
        if (state == "25006") kind = read_only;
        if (kind == unavailable && !why_wait_was_given_up().empty())
            return {kind, fmt::format("catalog: {}", why_wait_was_given_up())};
        return {kind, fmt::format("catalog: {}", one_line(error.get_error_message()))};
    }

    std::string describe(DatabaseConnection& sql) const override
    {
        std::string version;
        long long has_trigrams = 0;
        sql << "SELECT current_setting('server_version')", soci::into(version);
        sql << "SELECT COUNT(*) FROM pg_extension WHERE extname = 'pg_trgm'", soci::into(has_trigrams);
        return fmt::format("PostgreSQL {}{}", version,
                           has_trigrams != 0
                               ? ""
                               : " without pg_trgm, which the first start tries to create: without it "
                                 "searches read all names");
    }

    void send(DatabaseConnection& sql, std::span<const SentSignal> signals) const override
    {
        std::string ignored;
        for (const auto& signal : signals) {
            const auto payload = fmt::format("{} !{} {}", process_, signal.topic, signal.text);
            sql << "SELECT CAST(pg_notify('vitrine_' || current_schema(), :payload) AS TEXT)",
                soci::into(ignored), soci::use(payload);
        }
    }

    void listen(const std::stop_token& stop, const DatabaseListener& listener) const override
    {
        listen_to_postgres(*this, process_, stop, listener);
    }

private:
    static void lock(DatabaseConnection& sql, const std::string& name)
    {
        const DatabaseTimer timer(DatabaseWait::lock);
        std::string ignored;
        sql << "SELECT CAST(pg_advisory_xact_lock(hashtextextended(:name, 7)) AS TEXT)", soci::into(ignored),
            soci::use(name);
    }

    static std::string one_line(std::string text)
    {
        while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
            text.pop_back();
        std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
        return text;
    }

    std::string url_;
    std::string process_; // tells its own changes from those of others
};

} // namespace

std::unique_ptr<Dialect> make_postgres_dialect(const std::string& url)
{
    return std::make_unique<Postgres>(url);
}

} // namespace vitrine::server
