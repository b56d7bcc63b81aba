// What a search says beside its rows: where each is found, and which words were typed wrongly.

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/list_conditions.hpp"
#include "server/services/catalog/rows.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t min_word = 3; // characters
constexpr std::size_t max_word = 32;
constexpr std::size_t max_words = 2'000;                         // of one asset
constexpr std::array<std::size_t, 4> insert_sizes{1, 4, 16, 50}; // words of one statement
constexpr std::size_t max_compared = 100'000;                    // words of about the same length
constexpr std::size_t max_corrections = 3;                       // of one search
constexpr std::size_t max_note_match_bytes = 255;
constexpr std::size_t rows_per_match = 16; // their names may have megabytes

bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

void add_word(std::string_view word, std::set<std::string>& words)
{
    const auto size = characters(word);
    if (size >= min_word && size <= max_word && words.size() < max_words) words.insert(ascii::lower(word));
}

// Words are letters without a break; those of "UpperArm" are "upperarm", "upper" and "arm".
void add_words(std::string_view text, std::set<std::string>& words)
{
    for (std::size_t at = 0; at < text.size() && words.size() < max_words;) {
        while (at < text.size() && !is_letter(text[at]))
            ++at;
        const auto begin = at;
        auto part = at;
        for (; at < text.size() && is_letter(text[at]); ++at)
            if (at > part && is_upper(text[at]) && !is_upper(text[at - 1])) {
                add_word(text.substr(part, at - part), words);
                part = at;
            }
        if (part > begin) add_word(text.substr(part, at - part), words);
        add_word(text.substr(begin, at - begin), words);
    }
}

// Letters inserted, left out, exchanged or swapped with their neighbour (optimal string alignment), in bytes;
// `limit` + 1 if there are more. https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit)
{
    if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t exchange = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + exchange});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        if (std::ranges::min(row) > limit) return limit + 1;
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

bool is_in_any_name(DatabaseConnection& sql, const std::string& word)
{
    const ListQuery query{.q = word};
    Binds binds;
    const auto text =
        fmt::format("SELECT COUNT(*) FROM (SELECT 1 FROM asset_search s WHERE {} LIMIT 1) AS first",
                    search_rows(name_search(query), true, sql.dialect, binds, 1));
    return fetch_number(sql, text, binds).value_or(0) > 0;
}

// The most similar word: the fewest changes, then the alphabet. Empty: none is similar enough.
std::string most_similar(DatabaseConnection& sql, const std::string& typed)
{
    const auto size = static_cast<long long>(characters(typed));
    const std::size_t allowed = size <= 4 ? 1 : 2;
    const long long shortest = size - static_cast<long long>(allowed);
    const long long longest = size + static_cast<long long>(allowed);
    std::string word, best;
    auto fewest = allowed + 1;
    PreparedStatement select =
        (sql.prepare << fmt::format("SELECT word FROM search_words WHERE size BETWEEN :shortest AND :longest "
                                    "ORDER BY size, word LIMIT {}",
                                    max_compared),
         soci::into(word), soci::use(shortest), soci::use(longest));
    for (select.execute(); select.fetch();) {
        const auto changes = distance(typed, word, fewest - 1);
        if (changes == 0 || changes >= fewest) continue; // 0: of a name that has changed
        fewest = changes;
        best = word;
        if (fewest <= 1) break;
    }
    if (best.empty() || !is_in_any_name(sql, best)) return {};
    return best;
}

// Repeats the last word, which changes nothing, up to one of few numbers of rows: the statements of those are
// kept prepared.
void insert_words(DatabaseConnection& sql, std::span<const std::string> words)
{
    const auto count = *std::ranges::lower_bound(insert_sizes, words.size());
    Binds binds;
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& word = words[std::min(i, words.size() - 1)];
        rows.push_back(
            fmt::format("({}, {})", binds.add(word), binds.add(static_cast<long long>(characters(word)))));
    }
    auto insert =
        sql << fmt::format("INSERT INTO search_words (word, size) VALUES {} ON CONFLICT (word) DO NOTHING",
                           fmt::join(rows, ", "));
    binds.attach(insert);
} // where it runs

// The first line of `lines` with the word, which is in lower case; empty: none.
std::string_view find_line(std::string_view lines, std::string_view word)
{
    for (std::size_t at = 0; at < lines.size();) {
        const auto end = std::min(lines.find('\n', at), lines.size());
        auto line = lines.substr(at, end - at);
        if (line.starts_with(api::tag_mark) || line.starts_with(note_mark)) line.remove_prefix(1);
        if (!std::ranges::search(line, word, {}, ascii::to_lower).empty()) return line;
        at = end + 1;
    }
    return {};
}

struct NamesRow {
    std::string id;
    std::array<std::string, search_columns.size()> names;
};

// `line`: of `lines`, without its mark.
NameMatch match_in(std::string_view kind, std::string_view lines, std::string_view line)
{
    const bool is_note = line.data() > lines.data() && *std::prev(line.data()) == note_mark;
    if (!is_note) return {kind, std::string(line)};
    return {"note", std::string(truncate_utf8(line, max_note_match_bytes))};
}

// In the first `searched` of the columns.
NameMatch match_of(const NamesRow& row, std::string_view word, std::size_t searched)
{
    constexpr std::array<std::string_view, search_columns.size()> kinds{"name", "tag", "clip", "joint",
                                                                        "material"};
    for (std::size_t i = 0; i < searched; ++i)
        if (const auto line = find_line(row.names[i], word); !line.empty())
            return match_in(kinds[i], row.names[i], line);
    return {};
}

void match_some(DatabaseConnection& sql, std::string_view word, std::size_t searched,
                std::span<const AssetRecord> assets, std::map<std::string, NameMatch>& found)
{
    Binds binds;
    std::vector<std::string> ids;
    for (const auto& asset : assets)
        ids.push_back(binds.add(asset.id));
    NamesRow row;
    soci::statement select(sql);
    select.exchange(soci::into(row.id));
    for (auto& names : row.names)
        select.exchange(soci::into(names));
    binds.attach(select);
    select.alloc();
    select.prepare(fmt::format("SELECT a.id, s.{} FROM assets a JOIN asset_search s ON s.rowid = a.seq "
                               "WHERE a.id IN ({})",
                               fmt::join(search_columns, ", s."), fmt::join(ids, ", ")));
    select.define_and_bind();
    for (select.execute(); select.fetch();)
        found.emplace(row.id, match_of(row, word, searched));
}

} // namespace

void record_words(DatabaseConnection& sql, const std::string& name, const SearchNames& found)
{
    std::set<std::string> words; // sorted: transactions that write the same words do not wait in a circle
    for (const auto* text : {&name, &found.tags, &found.clips, &found.materials, &found.joints})
        add_words(*text, words);
    const std::vector<std::string> all(words.begin(), words.end());
    for (std::size_t at = 0; at < all.size(); at += insert_sizes.back())
        insert_words(sql, std::span(all).subspan(at, std::min(insert_sizes.back(), all.size() - at)));
}

std::vector<Correction> correct_words(DatabaseConnection& sql, std::string& q)
{
    std::vector<Correction> corrections;
    std::vector<std::string> words;
    for (auto& typed : words_of(q)) {
        const auto size = characters(typed);
        const bool may_be_wrong = corrections.size() < max_corrections && size >= min_word &&
                                  size <= max_word && !is_in_any_name(sql, typed);
        auto used = may_be_wrong ? most_similar(sql, ascii::lower(typed)) : std::string();
        words.push_back(used.empty() ? typed : used);
        if (!used.empty()) corrections.push_back({std::move(typed), std::move(used)});
    }
    q = fmt::format("{}", fmt::join(words, " "));
    return corrections;
}

std::vector<NameMatch> find_matches(DatabaseConnection& sql, const ListQuery& query,
                                    const std::vector<AssetRecord>& assets)
{
    const auto words = words_of(query.q);
    if (words.empty()) return {};
    const auto word = ascii::lower(words.front());
    std::map<std::string, NameMatch> found;
    for (std::size_t at = 0; at < assets.size(); at += rows_per_match)
        match_some(sql, word, searched_kinds(query),
                   std::span(assets).subspan(at, std::min(rows_per_match, assets.size() - at)), found);
    std::vector<NameMatch> matches;
    for (const auto& asset : assets)
        matches.push_back(found[asset.id]);
    return matches;
}

} // namespace vitrine::server
