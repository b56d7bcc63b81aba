#pragma once
// Statements of a connection, which keeps those that it runs again prepared (StatementCache):
//     sql << "SELECT name FROM assets WHERE id = :id", into(name), use(id);
//     PreparedStatement rows = (sql.prepare << "SELECT id FROM jobs", into(id));
// The variables are those of one run: only the statement is kept.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <soci/soci.h>

#include "server/services/database/statement_cache.hpp"

namespace vitrine::server {

struct DatabaseConnection;

// The text of a statement, and its variables.
class StatementBuilder {
public:
    StatementBuilder(DatabaseConnection& sql, std::string_view text) : sql_(sql), text_(text) {}
    StatementBuilder(const StatementBuilder&) = delete;
    StatementBuilder& operator=(const StatementBuilder&) = delete;

    StatementBuilder& operator<<(std::string_view text)
    {
        text_ += text;
        return *this;
    }
    template <class Variable>
    StatementBuilder& operator,(const Variable& variable)
    {
        statement().exchange(variable);
        return *this;
    }
    // Many rows at once: a statement of SOCI never reads single rows afterwards.
    template <class T, class Indicator>
    StatementBuilder& operator,(const soci::details::into_container<std::vector<T>, Indicator>& rows)
    {
        is_kept_ = false;
        statement().exchange(rows);
        return *this;
    }

protected:
    // A statement of SOCI, which has the variables of the current run.
    struct Reusable final : StatementCache::Statement {
        explicit Reusable(soci::session& sql) : statement(sql) {}
        soci::statement statement;
        bool is_prepared = false;
    };

    soci::statement& statement(); // takes the kept one of this text
    void prepare(soci::details::statement_type type);
    void run();  // once
    void keep(); // forgets the variables

private:
    friend class PreparedStatement;

    DatabaseConnection& sql_;
    std::string text_;
    std::unique_ptr<Reusable> reusable_;
    bool is_kept_ = true;
};

// Runs at the end of the full expression. A text that was run before is prepared and kept.
class StatementRun final : public StatementBuilder {
public:
    StatementRun(DatabaseConnection& sql, std::string_view text);
    ~StatementRun() noexcept(false); // throws soci::soci_error
    StatementRun(const StatementRun&) = delete;
    StatementRun& operator=(const StatementRun&) = delete;

private:
    const int exceptions_;
};

class StatementPreparer {
public:
    explicit StatementPreparer(DatabaseConnection& sql) : sql_(sql) {}
    StatementBuilder operator<<(std::string_view text) const { return {sql_, text}; }

private:
    DatabaseConnection& sql_;
};

// Prepared, for one or several runs. Destroyed before the connection, which keeps the statement.
class PreparedStatement final : private StatementBuilder {
public:
    PreparedStatement(StatementBuilder& made); // NOLINT(*-explicit-*): `= (sql.prepare << ...)`
    ~PreparedStatement();
    PreparedStatement(const PreparedStatement&) = delete;
    PreparedStatement& operator=(const PreparedStatement&) = delete;

    // Both return whether there is a row.
    bool execute(bool reads_variables = false) { return statement().execute(reads_variables); }
    bool fetch() { return statement().fetch(); }
    long long get_affected_rows() { return statement().get_affected_rows(); }
};

} // namespace vitrine::server
