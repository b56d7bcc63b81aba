#include "server/services/database/prepared_statement.hpp"

#include <algorithm>
#include <array>
#include <exception>

#include "server/services/database/database_connection.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::server {
namespace {

// Not those that change the schema, which run once, nor settings: SQLite applies a PRAGMA when it is
// prepared.
bool is_worth_keeping(std::string_view text)
{
    constexpr std::array<std::string_view, 7> words{"SELECT", "INSERT", "UPDATE", "DELETE",
                                                    "WITH",   "BEGIN",  "COMMIT"};
    return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

} // namespace

soci::statement& StatementBuilder::statement()
{
    if (!reusable_) {
        auto kept = sql_.statements.take(text_);
        if (auto* const reusable = dynamic_cast<Reusable*>(kept.get())) {
            static_cast<void>(kept.release());
            reusable_.reset(reusable);
        } else {
            reusable_ = std::make_unique<Reusable>(sql_);
        }
    }
    return reusable_->statement;
}

void StatementBuilder::prepare(soci::details::statement_type type)
{
    auto& made = statement();
    if (!reusable_->is_prepared) {
        made.alloc();
        made.prepare(text_, type);
        reusable_->is_prepared = type == soci::details::st_repeatable_query;
    }
    made.define_and_bind();
}

// Also after an error: the statement is valid still, and in a transaction that has failed PostgreSQL would
// not let go of it. The connection is given up where that is not so (Dialect::is_lost).
void StatementBuilder::keep()
{
    if (!reusable_ || !reusable_->is_prepared || !is_kept_) return;
    sql_.dialect.finish(reusable_->statement);
    reusable_->statement.bind_clean_up();
    sql_.statements.put(text_, std::move(reusable_));
}

// A text that runs once is not worth the second message to a server.
void StatementBuilder::run()
{
    using namespace soci::details;
    statement();
    const bool is_known = reusable_->is_prepared || sql_.statements.contains(text_);
    prepare(is_known ? st_repeatable_query : st_one_time_query);
    sql_.set_got_data(statement().execute(true));
    if (!is_known && is_kept_ && is_worth_keeping(text_)) sql_.statements.put(text_, nullptr);
}

StatementRun::StatementRun(DatabaseConnection& sql, std::string_view text)
    : StatementBuilder(sql, text), exceptions_(std::uncaught_exceptions())
{
}

StatementRun::~StatementRun() noexcept(false)
{
    if (std::uncaught_exceptions() != exceptions_) return;
    try {
        run();
    } catch (...) {
        keep();
        throw;
    }
    keep();
}

PreparedStatement::PreparedStatement(StatementBuilder& made) : StatementBuilder(made.sql_, made.text_)
{
    made.statement();
    reusable_ = std::move(made.reusable_);
    is_kept_ = made.is_kept_;
    prepare(soci::details::st_repeatable_query);
}

PreparedStatement::~PreparedStatement()
{
    keep();
}

} // namespace vitrine::server
