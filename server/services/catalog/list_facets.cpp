// How many assets of a list have each value of a filter.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/catalog/list_rows.hpp"

namespace vitrine::server {
namespace {

constexpr int max_values = 100;

struct FacetColumn {
    std::string_view name;
    std::string_view value;  // of a row `a` of assets, a text; empty: not known
    std::string_view join{}; // other tables with the value
};

constexpr std::string_view join_tags = " JOIN asset_tags g ON g.asset = a.id JOIN tags t ON t.tag = g.tag";
constexpr std::string_view join_warnings =
    " JOIN asset_warnings w ON w.asset = a.id AND w.version = a.version";

FacetColumn column_of(FacetKind kind)
{
    switch (kind) {
    case FacetKind::format: return {"format", "a.format"};
    case FacetKind::status: return {"status", "a.status"};
    case FacetKind::rigged: return {"rigged", "CASE WHEN a.joints > 0 THEN 'true' ELSE 'false' END"};
    case FacetKind::license: return {"license", "a.shown_license"};
    case FacetKind::author: return {"author", "a.shown_author"};
    case FacetKind::owner: return {"owner", "a.creator"};
    case FacetKind::library: return {"library", "a.library"};
    case FacetKind::tag: return {"tag", "t.name", join_tags};
    case FacetKind::warning: return {"warning", "w.code", join_warnings};
    case FacetKind::animated: break;
    }
    return {"animated", "CASE WHEN a.clips > 0 THEN 'true' ELSE 'false' END"};
}

void remove_filter(ListQuery& query, FacetKind kind)
{
    switch (kind) {
    case FacetKind::format: query.format.clear(); break;
    case FacetKind::status: query.status.reset(); break;
    case FacetKind::rigged: query.rigged.reset(); break;
    case FacetKind::animated: query.animated.reset(); break;
    case FacetKind::license: query.facts.license.clear(); break;
    case FacetKind::author: query.facts.author.clear(); break;
    case FacetKind::owner: query.facts.owner.clear(); break;
    case FacetKind::library: query.facts.library.clear(); break;
    case FacetKind::tag:
    case FacetKind::warning: break;
    }
}

} // namespace

FacetCounts count_facet(DatabaseConnection& sql, const ListQuery& query, FacetKind kind)
{
    auto others = query;
    remove_filter(others, kind);
    const auto column = column_of(kind);
    Binds binds;
    const auto plan = plan_filters(sql, others, binds, false);
    auto conditions = conditions_of(others, sql.dialect, binds, SearchPlan::by_match);
    if (plan.is_narrow) conditions.push_back(plan.condition);
    // Without filters the own index of a value is the shortest one; those of texts ignore the case.
    const bool has_own_index =
        conditions.size() == 1 && kind != FacetKind::license && kind != FacetKind::author;
    const auto text = fmt::format(
        "SELECT {0}, COUNT(*) FROM {4}{3} WHERE {1} GROUP BY 1 ORDER BY 2 DESC, 1 "
        "LIMIT {2}",
        column.value, fmt::join(conditions, " AND "), max_values, column.join,
        column.join.empty() && !has_own_index ? counted_assets(others, plan, sql.dialect) : "assets a");
    std::string value;
    long long count = 0;
    soci::statement st(sql);
    st.exchange(soci::into(value));
    st.exchange(soci::into(count));
    binds.attach(st);
    st.alloc();
    st.prepare(text);
    st.define_and_bind();
    FacetCounts facet{.name = column.name};
    for (bool found = st.execute(true); found; found = st.fetch())
        if (!value.empty()) facet.values.push_back({value, static_cast<std::uint64_t>(count)});
    return facet;
}

} // namespace vitrine::server
