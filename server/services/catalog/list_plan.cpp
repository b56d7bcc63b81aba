// Which filter of a list is read from an index of its own.
//
// The index of each sort order has all columns that filters read: a page passes about page size x rows /
// matches of its entries. Where few rows match, that is all of them. Then the rows of the rarest filter are
// read from its index and sorted: looking one up takes about as long as passing twenty entries.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/services/catalog/list_conditions.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

// A filter as a condition on a row of the index.
struct IndexedFilter {
    std::function<std::string(std::string_view row, Binds& binds)> condition;
    bool is_sorted = false;            // its index has the default order
    std::string_view table = "assets"; // or asset_warnings
};

constexpr long long entries_per_row = 20;
constexpr long long max_sorted_rows = 20'000; // of a text whose index gives the order, beside other filters

class IndexedFilters {
public:
    explicit IndexedFilters(const Dialect& dialect) : dialect_(dialect) {}

    template <class Number>
    void range(std::string column, const std::optional<Number>& min, const std::optional<Number>& max,
               long long known = std::numeric_limits<long long>::min())
    {
        if (!min && !max) return;
        add({.condition = [column = std::move(column), low = number(min), high = number(max),
                           known](std::string_view row, Binds& binds) {
            std::string text = fmt::format("{}.{} >= {}", row, column, binds.add(low.value_or(known)));
            if (high) text += fmt::format(" AND {}.{} <= {}", row, column, binds.add(*high));
            return text;
        }});
    }
    void text(std::string column, const std::string& value)
    {
        if (value.empty()) return;
        add({.condition =
                 [column = std::move(column), value](std::string_view row, Binds& binds) {
                     return fmt::format("{}.{} = {}", row, column, binds.add(value));
                 },
             .is_sorted = true});
    }
    void text_ignoring_case(std::string column, const std::string& value)
    {
        if (value.empty()) return;
        add({.condition =
                 [column = std::move(column), value, &dialect = dialect_](std::string_view row,
                                                                          Binds& binds) {
                     return equals_ignoring_case(fmt::format("{}.{}", row, column), value, dialect, binds);
                 },
             .is_sorted = true});
    }
    // assets.clip_flags with one of four bits.
    void flag(const std::optional<bool>& wanted, int yes, int no)
    {
        if (!wanted) return;
        std::string values;
        for (int flags = 0; flags < 16; ++flags)
            if ((flags & (*wanted ? yes : no)) != 0)
                values += fmt::format("{}{}", values.empty() ? "" : ",", flags);
        add({.condition = [values](std::string_view row, Binds&) {
            return fmt::format("{}.clip_flags IN ({})", row, values);
        }});
    }
    void warning(const std::string& code)
    {
        add({.condition = [code](std::string_view row,
                                 Binds& binds) { return fmt::format("{}.code = {}", row, binds.add(code)); },
             .table = "asset_warnings"});
    }

    const std::vector<IndexedFilter>& all() const { return all_; }

private:
    void add(IndexedFilter filter) { all_.push_back(std::move(filter)); }
    static std::optional<long long> number(const std::optional<std::uint64_t>& value)
    {
        return value ? std::optional(clamp_count(*value)) : std::nullopt;
    }
    static std::optional<long long> number(const std::optional<Micros>& value) { return value; }
    static std::optional<long long> number(const std::optional<double>& value)
    {
        return value ? std::optional(to_millionths(*value)) : std::nullopt;
    }

    const Dialect& dialect_;
    std::vector<IndexedFilter> all_;
};

void add_clip_filters(const ClipFilter& clips, IndexedFilters& filters)
{
    filters.flag(clips.loops, 1, 2);
    filters.flag(clips.in_place, 4, 8);
    const std::optional<double> none;
    filters.range("fastest", clips.speed_min, none);
    filters.range("slowest", none, clips.speed_max, 0);
    filters.range("longest", clips.duration_min, none);
    filters.range("shortest", none, clips.duration_max, 0);
}

void add_counts(const ListQuery& query, IndexedFilters& filters)
{
    const auto some = [](const std::optional<bool>& wanted, bool value) {
        return wanted == std::optional(value) ? std::optional<std::uint64_t>(value ? 1 : 0) : std::nullopt;
    };
    filters.range("joints", some(query.rigged, true), some(query.rigged, false));
    filters.range("joints", query.joints_min, query.joints_max);
    filters.range("clips", some(query.animated, true), some(query.animated, false));
    filters.range("clips", query.clips_min, query.clips_max);
    filters.range("vertices", query.vertices_min, query.vertices_max);
    filters.range("materials", query.materials_min, query.materials_max);
    filters.range("triangles", query.triangles_min, query.triangles_max);
    filters.range("file_bytes", query.bytes_min, query.bytes_max);
}

IndexedFilters filters_of(const ListQuery& query, const Dialect& dialect)
{
    IndexedFilters filters(dialect);
    const auto& facts = query.facts;
    filters.text("creator", facts.owner);
    filters.text("library", facts.library);
    filters.text_ignoring_case("shown_author", facts.author);
    filters.text_ignoring_case("shown_license", facts.license);
    filters.text("format", query.format);
    if (query.status) filters.text("status", std::string(to_string(*query.status)));
    add_counts(query, filters);
    filters.range("extent", facts.size_min, facts.size_max, 0);
    filters.range("warnings", facts.warnings_min, facts.warnings_max, 0);
    filters.range("missing_images", facts.missing_textures_min, facts.missing_textures_max, 0);
    filters.range("created", facts.created_min, facts.created_max);
    filters.range("updated", facts.updated_min, facts.updated_max);
    add_clip_filters(query.clip_facts, filters);
    for (const auto& code : facts.warning_codes)
        filters.warning(code);
    return filters;
}

std::string rows_of(const IndexedFilter& filter, std::string_view selected, long long limit, Binds& binds)
{
    return fmt::format("SELECT {} FROM {} f WHERE {}{} LIMIT {}", selected, filter.table,
                       filter.table == "assets" ? "f.deleted = 0 AND " : "", filter.condition("f", binds),
                       limit);
}

// At most `limit`.
long long count_rows_of(DatabaseConnection& sql, const IndexedFilter& filter, long long limit)
{
    Binds binds;
    const auto text =
        fmt::format("SELECT COUNT(*) FROM ({}) AS some_rows", rows_of(filter, "1", limit, binds));
    return fetch_number(sql, text, binds).value_or(0);
}

bool has_search(const ListQuery& query)
{
    return !words_of(query.q).empty() || !query.joint.empty() || !query.clip.empty();
}

bool has_organization(const ListQuery& query)
{
    return !query.tags.empty() || !query.collection.empty() || !query.favorites_of.empty() ||
           !query.within.empty() || !query.custom_fields.empty() || !sees_everything();
}

// A text alone, or one of few assets: its index gives the default order, and each of its rows is looked up.
bool gives_order(DatabaseConnection& sql, const ListQuery& query, const IndexedFilter& filter, bool is_alone)
{
    if (!filter.is_sorted || query.sort != Sort::created || has_search(query)) return false;
    return is_alone || count_rows_of(sql, filter, max_sorted_rows + 1) <= max_sorted_rows;
}

} // namespace

FilterPlan plan_filters(DatabaseConnection& sql, const ListQuery& query, Binds& binds, bool in_order)
{
    if (query.trash) return {};
    const auto filters = filters_of(query, sql.dialect);
    if (filters.all().empty()) return {};
    Binds none;
    const auto rows = fetch_number(sql, "SELECT COALESCE(MAX(seq), 0) FROM assets", none).value_or(0);
    const auto few = static_cast<long long>(std::sqrt(static_cast<double>(query.limit) *
                                                      static_cast<double>(rows / entries_per_row))) +
                     100;
    const IndexedFilter* rarest = nullptr;
    auto matches = few + 1;
    for (const auto& filter : filters.all())
        if (const auto count = count_rows_of(sql, filter, matches); count < matches) {
            rarest = &filter;
            matches = count;
        }
    if (rarest != nullptr) {
        const bool is_asset = rarest->table == "assets";
        return {.condition = fmt::format("a.{} IN ({})", is_asset ? "seq" : "id",
                                         rows_of(*rarest, is_asset ? "f.seq" : "f.asset", few + 1, binds)),
                .is_narrow = true};
    }
    if (!in_order) return {};
    const bool is_alone = filters.all().size() == 1 && !has_organization(query);
    for (const auto& filter : filters.all())
        if (gives_order(sql, query, filter, is_alone)) return {.condition = filter.condition("a", binds)};
    return {};
}

std::string counted_assets(const ListQuery& query, const FilterPlan& plan, const Dialect& dialect)
{
    const bool reads_rows = plan.is_narrow || query.trash || has_search(query) || has_organization(query) ||
                            !query.facts.warning_codes.empty();
    return fmt::format("assets a{}", reads_rows ? "" : dialect.words().whole_order);
}

} // namespace vitrine::server
