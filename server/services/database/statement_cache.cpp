#include "server/services/database/statement_cache.hpp"

namespace vitrine::server {

std::unique_ptr<StatementCache::Statement>* StatementCache::find_entry(std::string_view text)
{
    const auto found = statements_.find(text);
    if (found == statements_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
}

StatementCache::Statement* StatementCache::find(std::string_view text)
{
    const auto* const entry = find_entry(text);
    return entry == nullptr ? nullptr : entry->get();
}

std::unique_ptr<StatementCache::Statement> StatementCache::take(std::string_view text)
{
    auto* const entry = find_entry(text);
    return entry == nullptr ? nullptr : std::move(*entry);
}

StatementCache::Statement* StatementCache::put(std::string_view text, std::unique_ptr<Statement> statement)
{
    if (auto* const entry = find_entry(text)) {
        *entry = std::move(statement);
        return entry->get();
    }
    if (entries_.size() == max_statements) erase(std::string_view(entries_.back().first));
    entries_.emplace_front(text, std::move(statement));
    statements_.emplace(entries_.front().first, entries_.begin());
    return entries_.front().second.get();
}

void StatementCache::erase(std::string_view text)
{
    const auto found = statements_.find(text);
    if (found == statements_.end()) return;
    const auto entry = found->second; // has the key
    statements_.erase(found);
    entries_.erase(entry);
}

} // namespace vitrine::server
