#include "server/services/database/database_connection.hpp"

#include <algorithm>
#include <utility>

namespace vitrine::server {
namespace {

thread_local std::chrono::seconds statement_limit = StatementLimit::default_limit;

} // namespace

StatementLimit::StatementLimit(std::chrono::seconds limit) : before_(std::exchange(statement_limit, limit)) {}

StatementLimit::~StatementLimit()
{
    statement_limit = before_;
}

std::chrono::seconds StatementLimit::current()
{
    return statement_limit;
}

void send_signal(DatabaseConnection& sql, std::string_view topic, std::string_view text)
{
    SentSignal sent{std::string(topic), std::string(text)};
    if (std::ranges::find(sql.signals, sent) == sql.signals.end()) sql.signals.push_back(std::move(sent));
}

} // namespace vitrine::server
