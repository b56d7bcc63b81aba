#include "server/services/catalog/list_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"

namespace vitrine::server {
namespace {

std::string_view column(Sort sort)
{
    constexpr std::string_view columns[] = {"a.created", "a.name_key", "a.triangles", "a.created"};
    return columns[static_cast<std::size_t>(sort)];
}

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
    return std::to_string(sort == Sort::triangles ? static_cast<Micros>(asset.counts.triangles)
                                                  : asset.created);
}

// `sorts`: the rows are sorted, and the index of the order is not read.
std::string order_of(const ListQuery& query, bool sorts = false)
{
    const auto order = query.descending ? "DESC" : "ASC";
    const auto hidden = !sorts ? "" : query.sort == Sort::name ? " || ''" : " + 0";
    return fmt::format(" ORDER BY {}{} {}, a.seq {}", column(query.sort), hidden, order, order);
}

// Also those of plan_filters().
std::vector<std::string> planned_conditions(DatabaseConnection& sql, const ListQuery& query, Binds& binds,
                                            Tier tier, FilterPlan& plan)
{
    plan = plan_filters(sql, query, binds, true);
    const auto search = plan.is_narrow ? SearchPlan::by_order : plan_of(sql, query, tier);
    auto conditions = conditions_of(query, sql.dialect, binds, search, tier);
    if (!plan.condition.empty()) conditions.push_back(plan.condition);
    return conditions;
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

} // namespace

std::uint64_t count_rows(DatabaseConnection& sql, const ListQuery& query, const Cursor* before, Tier tier)
{
    Binds binds;
    const auto plan = plan_filters(sql, query, binds, false);
    auto conditions = conditions_of(query, sql.dialect, binds, SearchPlan::by_match, tier);
    if (plan.is_narrow) conditions.push_back(plan.condition);
    if (before) conditions.push_back(condition_of(*before, Side::before, binds).value());
    long long count = 0;
    fetch_row(sql,
              fmt::format("SELECT COUNT(*) FROM {} WHERE {}", counted_assets(query, plan, sql.dialect),
                          fmt::join(conditions, " AND ")),
              binds, count);
    return static_cast<std::uint64_t>(count);
}

std::optional<Cursor> find_place(DatabaseConnection& sql, const ListQuery& query, const std::string& source,
                                 Binds& binds)
{
    Cursor place{.sort = query.sort, .descending = query.descending, .seq = 0, .value = {}};
    const auto text =
        fmt::format("SELECT CAST({} AS TEXT), a.seq FROM assets a {}", column(query.sort), source);
    if (!fetch_row(sql, text, binds, place.value, place.seq)) return std::nullopt;
    return place;
}

std::optional<Cursor> place_at_offset(DatabaseConnection& sql, const ListQuery& query, Tier tier)
{
    Binds binds;
    auto conditions = conditions_of(query, sql.dialect, binds, SearchPlan::by_match, tier);
    const auto skipped = binds.add(clamp_count(*query.offset));
    return find_place(
        sql, query,
        fmt::format("WHERE {}{} LIMIT 1 OFFSET {}", fmt::join(conditions, " AND "), order_of(query), skipped),
        binds);
}

// The inner SELECT sorts keys only: a search of a common word has many rows, which
// are long.
std::vector<AssetRecord> read_rows(DatabaseConnection& sql, const ListQuery& query, const Start& start,
                                   std::size_t count, Tier tier)
{
    Binds binds;
    FilterPlan plan;
    auto conditions = planned_conditions(sql, query, binds, tier, plan);
    if (start.place) conditions.push_back(condition_of(*start.place, start.side, binds).value());
    const auto keys = fmt::format("SELECT a.seq FROM assets a WHERE {}{} LIMIT {}",
                                  fmt::join(conditions, " AND "), order_of(query, plan.is_narrow), count);
    return fetch_assets(sql, fmt::format("{} WHERE a.seq IN ({}){}", select_assets(), keys, order_of(query)),
                        binds);
}

std::size_t page_size(const ListQuery& query)
{
    return std::clamp<std::size_t>(query.limit, 1, 500);
}

void end_page(DatabaseConnection& sql, const ListQuery& query, Page& page, std::string_view prefix)
{
    if (page.items.size() <= page_size(query)) return;
    page.items.resize(page_size(query));
    const auto& last = page.items.back();
    long long seq = 0;
    sql << "SELECT seq FROM assets WHERE id = :id", soci::into(seq), soci::use(last.id);
    page.next = to_text(
        Cursor{query.sort, query.descending, seq, std::string(prefix) + sort_value(last, query.sort)});
}

std::unexpected<ServiceError> bad_cursor()
{
    return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list and sort order");
}

} // namespace vitrine::server
