#pragma once
// The prepared statements of a connection. Used by one thread at a time.

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace vitrine::server {

// Statements by their text: preparing costs more than most reads. The least recently used one goes.
// Destroyed before its connection.
class StatementCache {
public:
    // A prepared statement, maybe with the variables that it reads and writes.
    struct Statement {
        virtual ~Statement() = default;
    };

    // Returns null if the text is not prepared, or its statement was taken.
    Statement* find(std::string_view text);
    // For one user, who puts it back: others find none meanwhile.
    std::unique_ptr<Statement> take(std::string_view text);
    // Null: the text has been run, and is worth preparing when it is run again.
    Statement* put(std::string_view text, std::unique_ptr<Statement> statement);
    void erase(std::string_view text);
    bool contains(std::string_view text) const { return statements_.contains(text); }
    std::size_t size() const { return statements_.size(); }

    static constexpr std::size_t max_statements = 128;

private:
    using Entries = std::list<std::pair<std::string, std::unique_ptr<Statement>>>;
    std::unique_ptr<Statement>* find_entry(std::string_view text); // becomes the most recently used one

    Entries entries_;                                                    // the most recently used one first
    std::unordered_map<std::string_view, Entries::iterator> statements_; // the keys are in entries_
};

} // namespace vitrine::server
