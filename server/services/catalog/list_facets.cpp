// How many assets of a list have each value of a filter.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/catalog/list_rows.hpp"

namespace vitrine::server {
namespace {

constexpr int max_values = 100;

struct FacetColumn {
    std::string_view name;
    std::string_view value; // of a row `a` of assets, a text; empty: not known
};

FacetColumn column_of(FacetKind kind)
{
    switch (kind) {
    case FacetKind::format: return {"format", "a.format"};
    case FacetKind::status: return {"status", "a.status"};
    case FacetKind::rigged: return {"rigged", "CASE WHEN a.joints > 0 THEN 'true' ELSE 'false' END"};
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
    }
}

} // namespace

FacetCounts count_facet(DatabaseConnection& sql, const ListQuery& query, FacetKind kind)
{
    auto others = query;
    remove_filter(others, kind);
    const auto column = column_of(kind);
    Binds binds;
    const auto conditions = conditions_of(others, sql.dialect, binds, SearchPlan::by_match);
    const auto text =
        fmt::format("SELECT {0}, COUNT(*) FROM assets a WHERE {1} GROUP BY 1 ORDER BY 2 DESC, 1 "
                    "LIMIT {2}",
                    column.value, fmt::join(conditions, " AND "), max_values);
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
