#pragma once
// A connection to the database with its prepared statements. Used by one thread at a time.

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <soci/soci.h>

namespace vitrine::server {

// Prepared statements by their text: preparing costs more than most reads. At most 64, the least recently
// used one goes. Destroyed before its connection.
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

struct DatabaseConnection : soci::session {
    explicit DatabaseConnection(const std::filesystem::path& file); // throws soci::soci_error

    StatementCache statements;
};

} // namespace vitrine::server
