// Pages of assets: filters, sorts, cursors.

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/list_rows.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_search_bytes = 512;
constexpr std::size_t max_search_words = 8;

std::optional<Cursor> place_of_asset(DatabaseConnection& sql, const ListQuery& query)
{
    Binds binds;
    return find_place(sql, query, "WHERE a.id = " + binds.add(query.at), binds);
}

Result<Start> start_at_cursor(const ListQuery& query)
{
    auto cursor = parse_cursor(query.cursor);
    if (!cursor || cursor->sort != query.sort || cursor->descending != query.descending) return bad_cursor();
    const bool is_value = cursor->sort == Sort::name ? is_utf8(cursor->value) && !cursor->value.contains('\0')
                                                     : parse_number(*cursor).has_value();
    if (!is_value) return bad_cursor();
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

Page read_page(DatabaseConnection& sql, const ListQuery& query, const Start& start)
{
    Page page{.items = read_rows(sql, query, start, page_size(query) + 1)};
    end_page(sql, query, page);
    return page;
}

Result<Page> read_list(DatabaseConnection& sql, const ListQuery& query)
{
    if (query.sort == Sort::relevance) return read_ranked_page(sql, query);
    const auto start = start_of(sql, query);
    if (!start) return std::unexpected(start.error());
    auto page = start->past_end ? Page{} : read_page(sql, query, *start);
    page.offset = start->offset;
    return page;
}

// By relevance, an asset whose names do not have the words has no place in the list.
bool has_nothing(const Result<Page>& page)
{
    return page ? page->items.empty() : page.error().kind == Errc::not_found;
}

// The words of corrections are those of all assets.
bool may_correct(const ListQuery& query)
{
    return !query.q.empty() && query.within.empty() && sees_everything();
}

// The list of a search without a match is that of its words without typing mistakes, if there are such words.
Result<Page> read_corrected_list(DatabaseConnection& sql, ListQuery query)
{
    if (!query.at.empty() && !is_visible_asset(sql, query.at)) return no_asset(query.at);
    auto page = read_list(sql, query);
    if (has_nothing(page) && may_correct(query)) {
        auto corrections = correct_words(sql, query.q); // changes q
        if (!corrections.empty()) page = read_list(sql, query);
        if (page && !page->items.empty()) page->corrections = std::move(corrections);
    }
    if (!page) return page;
    page->matches = find_matches(sql, query, page->items);
    if (query.count_all) page->total = count_rows(sql, query);
    for (const auto kind : query.facets)
        page->facets.push_back(count_facet(sql, query, kind));
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
    if (words_of(query.q).size() > max_search_words)
        return make_error(Errc::invalid, "search_too_long",
                          fmt::format("q must have at most {} words", max_search_words));
    return impl_->connections.read([&](DatabaseConnection& sql) {
        return query.ranking ? read_ranking(sql, query) : read_corrected_list(sql, query);
    });
}

} // namespace vitrine::server
