#include "server/services/database/database_connection.hpp"

#include <algorithm>

namespace vitrine::server {
namespace {

thread_local std::chrono::seconds statement_limit = StatementLimit::usual;

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

StatementCache::Statement* StatementCache::find(std::string_view text)
{
    const auto found = statements_.find(text);
    if (found == statements_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second.get();
}

StatementCache::Statement& StatementCache::put(const std::string& text, std::unique_ptr<Statement> statement)
{
    erase(text);
    if (entries_.size() == max_statements) erase(std::string_view(entries_.back().first));
    entries_.emplace_front(text, std::move(statement));
    statements_.emplace(entries_.front().first, entries_.begin());
    return *entries_.front().second;
}

void StatementCache::erase(std::string_view text)
{
    const auto found = statements_.find(text);
    if (found == statements_.end()) return;
    const auto entry = found->second; // has the key
    statements_.erase(found);
    entries_.erase(entry);
}

void send_signal(DatabaseConnection& sql, std::string_view topic, std::string_view text)
{
    SentSignal sent{std::string(topic), std::string(text)};
    if (std::ranges::find(sql.signals, sent) == sql.signals.end()) sql.signals.push_back(std::move(sent));
}

} // namespace vitrine::server
