#include "server/services/libraries/library_select.hpp"

#include <algorithm>
#include <array>
#include <span>

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::array<std::string_view, 6> state_words{"waiting",     "scanning", "ready",
                                                      "unavailable", "removing", "paused"};

constexpr std::string_view select_libraries =
    "SELECT id, name, path, include, ignored, state, problem, created, created_by, scanned, duration_ms, "
    "files, models, skipped, waiting FROM libraries ";

LibraryState parse_library_state(std::string_view word)
{
    const auto found = std::ranges::find(state_words, word);
    return found == state_words.end() ? LibraryState::waiting
                                      : static_cast<LibraryState>(found - state_words.begin());
}

std::vector<std::string> split_patterns(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Columns of select_libraries.
struct LibraryRow {
    std::string id, name, path, include, ignored, state, problem, created_by;
    std::array<long long, 7> numbers{};

    void read_from(soci::statement& statement)
    {
        for (auto* text : {&id, &name, &path, &include, &ignored, &state, &problem})
            statement.exchange(into(*text));
        statement.exchange(into(numbers[0]));
        statement.exchange(into(created_by));
        for (auto& number : std::span(numbers).subspan(1))
            statement.exchange(into(number));
    }

    Library library() const
    {
        Library row{{name, path, split_patterns(include), split_patterns(ignored), created_by}};
        row.id = id;
        row.state = parse_library_state(state);
        row.problem = problem;
        row.created = numbers[0];
        row.scanned = numbers[1];
        row.duration_ms = numbers[2];
        row.files = numbers[3];
        row.models = numbers[4];
        row.skipped = numbers[5];
        row.waiting = numbers[6];
        return row;
    }
};

} // namespace

std::string_view to_string(LibraryState state)
{
    return state_words[static_cast<std::size_t>(state)];
}

std::vector<Library> fetch_libraries(DatabaseConnection& sql, std::string_view end, const std::string* id)
{
    LibraryRow row;
    std::vector<Library> libraries;
    soci::statement select(sql);
    row.read_from(select);
    if (id != nullptr) select.exchange(use(*id));
    select.alloc();
    select.prepare(std::string(select_libraries) + std::string(end));
    select.define_and_bind();
    for (select.execute(); select.fetch();)
        libraries.push_back(row.library());
    return libraries;
}

} // namespace vitrine::server
