#pragma once
// Prepared statements of one database connection by their text: preparing costs more than most reads. At most
// 64, the least recently used one goes. Used by one thread at a time; destroyed before its connection.

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace vitrine::server {

class StatementCache {
public:
    // A statement with the variables that it reads and writes.
    struct Statement {
        virtual ~Statement() = default;
    };

    // Returns null if the text is not prepared.
    Statement* find(std::string_view text);
    Statement& put(const std::string& text, std::unique_ptr<Statement> statement);
    void erase(std::string_view text);
    std::size_t size() const { return statements_.size(); }

    static constexpr std::size_t max_statements = 64;

private:
    using Entries = std::list<std::pair<std::string, std::unique_ptr<Statement>>>;
    Entries entries_;                                                    // the most recently used one first
    std::unordered_map<std::string_view, Entries::iterator> statements_; // the keys are in entries_
};

} // namespace vitrine::server
