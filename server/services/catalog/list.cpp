// Pages of assets: filters, sorts, cursors.

#include <algorithm>

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/cursor.hpp"
#include "server/services/catalog/rows.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_search_bytes = 512;

std::string_view column(Sort sort)
{
    constexpr std::string_view columns[] = {"a.created", "a.name_key", "a.triangles"};
    return columns[static_cast<std::size_t>(sort)];
}

std::size_t characters(std::string_view utf8)
{
    return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::vector<std::string> words_of(std::string_view q)
{
    std::vector<std::string> words;
    for (std::size_t at = 0; at < q.size();) {
        const auto end = std::min(q.find(' ', at), q.size());
        if (end > at) words.emplace_back(q.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::string quoted(const std::string& word) // an FTS5 string
{
    std::string text = "\"";
    for (const char c : word)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

std::string like_pattern(const std::string& word)
{
    std::string pattern = "%";
    for (const char c : word)
        pattern += (c == '%' || c == '_' || c == '\\') ? std::string{'\\', c} : std::string(1, c);
    return pattern + "%";
}

// All words must match. Words of one or two characters, which the trigram index cannot find, are matched with
// LIKE.
void add_search(const std::string& q, Binds& binds, std::vector<std::string>& conditions)
{
    std::string match;
    for (const auto& word : words_of(q)) {
        if (characters(word) >= 3)
            match += (match.empty() ? "" : " AND ") + quoted(word);
        else
            conditions.push_back("a.search_text LIKE " + binds.add(like_pattern(word)) + " ESCAPE '\\'");
    }
    if (match.empty()) return;
    conditions.push_back("a.seq IN (SELECT rowid FROM asset_search WHERE asset_search MATCH " +
                         binds.add(match) + ")");
}

// Matches a name in a document of the asset's version. Documents are long: where the search text is complete,
// only the documents of rows whose search text contains the name are read.
void add_name(std::string_view document, std::string_view list, const std::string& name, Binds& binds,
              std::vector<std::string>& conditions)
{
    if (name.empty()) return;
    constexpr std::size_t complete_bytes = 128 << 10; // describe() omits names from longer texts
    if (characters(name) >= 3)
        conditions.push_back(
            fmt::format("(a.seq IN (SELECT rowid FROM asset_search WHERE asset_search MATCH {}) "
                        "OR length(CAST(a.search_text AS BLOB)) > {})",
                        binds.add(quoted(name)), complete_bytes));
    conditions.push_back(fmt::format("EXISTS (SELECT 1 FROM documents d, json_each(d.json, '$.{}') e "
                                     "WHERE d.asset = a.id AND d.version = a.version AND d.kind = '{}' "
                                     "AND json_extract(e.value, '$.name') = {} COLLATE NOCASE)",
                                     list, document, binds.add(name)));
}

long long clamp_count(std::uint64_t value)
{
    return static_cast<long long>(std::min<std::uint64_t>(value, std::numeric_limits<long long>::max()));
}

std::vector<std::string> conditions_of(const ListQuery& query, Binds& binds)
{
    std::vector<std::string> all{query.trash ? "a.deleted > 0" : "a.deleted = 0"};
    add_search(query.q, binds, all);
    if (!query.format.empty()) all.push_back("a.format = " + binds.add(query.format));
    if (query.status) all.push_back("a.status = " + binds.add(std::string(to_string(*query.status))));
    if (query.rigged) all.push_back(*query.rigged ? "a.joints > 0" : "a.joints = 0");
    if (query.animated) all.push_back(*query.animated ? "a.clips > 0" : "a.clips = 0");
    add_name("skeleton", "joints", query.joint, binds, all);
    add_name("clips", "items", query.clip, binds, all);
    if (query.triangles_min) all.push_back("a.triangles >= " + binds.add(clamp_count(*query.triangles_min)));
    if (query.triangles_max) all.push_back("a.triangles <= " + binds.add(clamp_count(*query.triangles_max)));
    return all;
}

// Which rows relative to the row of a cursor, in the order of the list.
enum class Side : std::uint8_t { before, from, after };

std::string_view comparison(Side side, bool descending)
{
    if (side == Side::from) return descending ? "<=" : ">=";
    return (side == Side::after) == descending ? "<" : ">";
}

// Empty if the cursor's value does not belong to its sort order.
std::optional<std::string> condition_of(const Cursor& cursor, Side side, Binds& binds)
{
    std::string value;
    if (cursor.sort == Sort::name) {
        value = binds.add(cursor.value);
    } else {
        const auto number = parse_number(cursor);
        if (!number) return std::nullopt;
        value = binds.add(*number);
    }
    return fmt::format("({}, a.seq) {} ({}, {})", column(cursor.sort), comparison(side, cursor.descending),
                       value, binds.add(cursor.seq));
}

std::string sort_value(const AssetRecord& asset, Sort sort)
{
    if (sort == Sort::name) return name_key(asset.name);
    return std::to_string(sort == Sort::created ? asset.created
                                                : static_cast<Micros>(asset.counts.triangles));
}

std::string order_of(const ListQuery& query)
{
    const auto order = query.descending ? "DESC" : "ASC";
    return fmt::format(" ORDER BY {} {}, a.seq {}", column(query.sort), order, order);
}

// Runs a statement of one row with these values. Returns whether there is a row.
template <class... Values>
bool fetch_row(DatabaseConnection& sql, const std::string& text, Binds& binds, Values&... values)
{
    soci::statement st(sql);
    (st.exchange(soci::into(values)), ...);
    binds.attach(st);
    st.alloc();
    st.prepare(text);
    st.define_and_bind();
    return st.execute(true);
}

// The number of rows of the list; with `before`, of those before this row.
std::uint64_t count_rows(DatabaseConnection& sql, const ListQuery& query, const Cursor* before = nullptr)
{
    Binds binds;
    auto conditions = conditions_of(query, binds);
    if (before) conditions.push_back(condition_of(*before, Side::before, binds).value());
    long long count = 0;
    fetch_row(sql, fmt::format("SELECT COUNT(*) FROM assets a WHERE {}", fmt::join(conditions, " AND ")),
              binds, count);
    return static_cast<std::uint64_t>(count);
}

// The place of the row that `source` (the rest of a SELECT) finds; empty if there is none.
std::optional<Cursor> find_place(DatabaseConnection& sql, const ListQuery& query, const std::string& source,
                                 Binds& binds)
{
    Cursor place{.sort = query.sort, .descending = query.descending, .seq = 0, .value = {}};
    const auto text =
        fmt::format("SELECT CAST({} AS TEXT), a.seq FROM assets a {}", column(query.sort), source);
    if (!fetch_row(sql, text, binds, place.value, place.seq)) return std::nullopt;
    return place;
}

std::optional<Cursor> place_at_offset(DatabaseConnection& sql, const ListQuery& query)
{
    Binds binds;
    auto conditions = conditions_of(query, binds);
    const auto skipped = binds.add(clamp_count(*query.offset));
    return find_place(
        sql, query,
        fmt::format("WHERE {}{} LIMIT 1 OFFSET {}", fmt::join(conditions, " AND "), order_of(query), skipped),
        binds);
}

std::optional<Cursor> place_of_asset(DatabaseConnection& sql, const ListQuery& query)
{
    Binds binds;
    return find_place(sql, query, "WHERE a.id = " + binds.add(query.at), binds);
}

// Where a page begins.
struct Start {
    std::optional<Cursor> place{}; // empty: at the first row
    Side side = Side::from;
    std::optional<std::uint64_t> offset{}; // position in the list, if it was asked for
    bool past_end = false;
};

std::unexpected<ServiceError> bad_cursor()
{
    return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list and sort order");
}

Result<Start> start_at_cursor(const ListQuery& query)
{
    auto cursor = parse_cursor(query.cursor);
    if (!cursor || cursor->sort != query.sort || cursor->descending != query.descending) return bad_cursor();
    if (cursor->sort != Sort::name && !parse_number(*cursor)) return bad_cursor();
    return Start{.place = std::move(cursor), .side = Side::after};
}

Result<Start> start_of(DatabaseConnection& sql, const ListQuery& query)
{
    if (!query.cursor.empty()) return start_at_cursor(query);
    if (!query.at.empty()) {
        auto place = place_of_asset(sql, query);
        if (!place) return no_asset(query.at);
        const auto offset = count_rows(sql, query, &*place);
        return Start{.place = std::move(place), .offset = offset};
    }
    if (!query.offset) return Start{};
    if (*query.offset == 0) return Start{.offset = 0};
    auto place = place_at_offset(sql, query);
    const bool past_end = !place;
    return Start{.place = std::move(place), .offset = query.offset, .past_end = past_end};
}

// The inner SELECT sorts keys only: a search of a common word has many rows, which are long.
Page read_page(DatabaseConnection& sql, const ListQuery& query, const Start& start)
{
    Binds binds;
    auto conditions = conditions_of(query, binds);
    if (start.place) conditions.push_back(condition_of(*start.place, start.side, binds).value());
    const auto limit = std::clamp<std::size_t>(query.limit, 1, 500);
    const auto order = order_of(query);
    const auto keys = fmt::format("SELECT a.seq FROM assets a WHERE {}{} LIMIT {}",
                                  fmt::join(conditions, " AND "), order, limit + 1);
    const auto text = fmt::format("{} WHERE a.seq IN ({}){}", select_assets(), keys, order);
    Page page{fetch_assets(sql, text, binds), {}};
    if (page.items.size() <= limit) return page;
    page.items.resize(limit);
    const auto& last = page.items.back();
    long long seq = 0;
    sql << "SELECT seq FROM assets WHERE id = :id", soci::into(seq), soci::use(last.id);
    page.next = to_text(Cursor{query.sort, query.descending, seq, sort_value(last, query.sort)});
    return page;
}

} // namespace

Result<Page> Catalog::list_assets(const ListQuery& query) const
{
    for (const auto& [name, value] :
         {std::pair{"q", &query.q}, std::pair{"joint", &query.joint}, std::pair{"clip", &query.clip}})
        if (value->size() > max_search_bytes)
            return make_error(Errc::invalid, "search_too_long",
                              fmt::format("{} must have at most {} bytes", name, max_search_bytes));
    return impl_->connections.read([&](DatabaseConnection& sql) -> Result<Page> {
        const auto start = start_of(sql, query);
        if (!start) return std::unexpected(start.error());
        auto page = start->past_end ? Page{} : read_page(sql, query, *start);
        page.offset = start->offset;
        if (query.count_all) page.total = count_rows(sql, query);
        return page;
    });
}

} // namespace vitrine::server
