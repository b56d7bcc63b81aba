// Conditions on the facts of assets. Those of a row `a` are columns of the index of each sort order, in which
// a list looks at all assets in a few milliseconds; "+" keeps the databases from using another index.

#include <cmath>

#include <fmt/format.h>

#include "api/tags/field_keys.hpp"
#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"
#include "server/services/catalog/list_conditions.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

using Conditions = std::vector<std::string>;

// Bits of assets.clip_flags.
enum ClipFlag : int { looping = 1, not_looping = 2, staying = 4, not_staying = 8 };

class FactConditions {
public:
    FactConditions(Binds& binds, Conditions& all) : binds_(binds), all_(all) {}

    void at_least(std::string_view column, const std::optional<long long>& value)
    {
        if (value) all_.push_back(fmt::format("+a.{} >= {}", column, binds_.add(*value)));
    }
    void at_most(std::string_view column, const std::optional<long long>& value)
    {
        if (value) all_.push_back(fmt::format("+a.{} <= {}", column, binds_.add(*value)));
    }
    // Also of assets for which it is -1: unknown.
    void at_most_known(std::string_view column, const std::optional<long long>& value)
    {
        if (value) all_.push_back(fmt::format("+a.{0} >= 0 AND +a.{0} <= {1}", column, binds_.add(*value)));
    }
    void has_flag(const std::optional<bool>& wanted, ClipFlag yes, ClipFlag no)
    {
        if (wanted) all_.push_back(fmt::format("(a.clip_flags & {}) <> 0", int{*wanted ? yes : no}));
    }

private:
    Binds& binds_;
    Conditions& all_;
};

std::optional<long long> millionths(const std::optional<double>& value)
{
    return value ? std::optional(to_millionths(*value)) : std::nullopt;
}

std::optional<long long> count(const std::optional<std::uint64_t>& value)
{
    return value ? std::optional(clamp_count(*value)) : std::nullopt;
}

// One clip with all of the facts.
std::string any_clip_has(const ClipFilter& filter, Binds& binds)
{
    std::string facts;
    const auto compare = [&](std::string_view condition, const std::optional<double>& value) {
        if (value) facts.append(condition).append(binds.add(to_millionths(*value)));
    };
    if (filter.loops) facts += *filter.loops ? " AND c.loops = 1" : " AND c.loops = 0";
    if (filter.in_place) facts += *filter.in_place ? " AND c.in_place = 1" : " AND c.in_place = 0";
    compare(" AND c.speed >= ", filter.speed_min);
    compare(" AND c.speed <= ", filter.speed_max);
    compare(" AND c.duration >= ", filter.duration_min);
    if (filter.duration_max) facts += " AND c.duration >= 0";
    compare(" AND c.duration <= ", filter.duration_max);
    return "EXISTS (SELECT 1 FROM clip_facets c WHERE c.asset = a.id AND c.version = a.version" + facts + ")";
}

// What each of the facts alone says of the asset is in its row; with several, one clip must have them all.
void add_clip_facts(const ClipFilter& filter, Binds& binds, Conditions& all)
{
    const auto before = all.size();
    FactConditions row(binds, all);
    row.has_flag(filter.loops, looping, not_looping);
    row.has_flag(filter.in_place, staying, not_staying);
    row.at_least("fastest", millionths(filter.speed_min));
    row.at_most_known("slowest", millionths(filter.speed_max));
    row.at_least("longest", millionths(filter.duration_min));
    row.at_most_known("shortest", millionths(filter.duration_max));
    if (all.size() > before + 1) all.push_back(any_clip_has(filter, binds));
}

void add_text(std::string_view column, const std::string& text, const Dialect& dialect, Binds& binds,
              Conditions& all)
{
    if (!text.empty())
        all.push_back(fmt::format("{}{}", dialect.words().unindexed,
                                  equals_ignoring_case(fmt::format("a.{}", column), text, dialect, binds)));
}

// The default order begins or ends there. What was changed before a time was created before it.
void add_created(const ListQuery& query, Binds& binds, Conditions& all)
{
    const auto& facts = query.facts;
    const auto column = query.sort == Sort::created ? "a.created" : "+a.created";
    const auto compare = [&](const char* comparison, const std::optional<Micros>& value) {
        if (value)
            all.push_back(
                fmt::format("{} {} {}", column, comparison, binds.add(static_cast<long long>(*value))));
    };
    compare(">=", facts.created_min);
    compare("<=", facts.created_max);
    compare("<=", facts.updated_max);
}

// Conditions on a row `v` of field_values, of which one must hold: the text as a value of each type.
std::string field_equals(const std::string& text, Binds& binds)
{
    std::string any = "(v.kind IN ('text', 'choice') AND v.text_key = " + binds.add(name_key(text)) + ")";
    const auto add = [&](std::string_view kind, std::optional<long long> number) {
        if (number) any += fmt::format(" OR (v.kind = '{}' AND v.number = {})", kind, binds.add(*number));
    };
    if (const auto number = parse_whole<double>(text); number && std::isfinite(*number))
        add("number", api::number_key(*number));
    add("date", api::date_key(text));
    if (name_key(text) == "true" || name_key(text) == "false") add("boolean", name_key(text) == "true");
    return "(" + any + ")";
}

std::string field_between(std::string_view kind, std::optional<long long> min, std::optional<long long> max,
                          Binds& binds)
{
    std::string all = fmt::format("v.kind = '{}'", kind);
    if (min) all += " AND v.number >= " + binds.add(*min);
    if (max) all += " AND v.number <= " + binds.add(*max);
    return all;
}

void add_custom_field(const FieldFilter& filter, Binds& binds, Conditions& all)
{
    const auto add = [&](std::string_view in, const std::string& which) {
        auto name = binds.add(name_key(filter.name));
        all.push_back(fmt::format("a.id {} (SELECT v.asset FROM collection_fields f JOIN field_values v ON "
                                  "v.field = f.id WHERE f.name_key = {} AND v.shown = 1{}{}{})",
                                  in, name, and_visible_collection("f.collection"),
                                  which.empty() ? "" : " AND ", which));
    };
    if (filter.equals)
        filter.equals->empty() ? add("NOT IN", "") : add("IN", field_equals(*filter.equals, binds));
    if (filter.number_min || filter.number_max)
        add("IN", field_between("number", filter.number_min, filter.number_max, binds));
    if (filter.date_min || filter.date_max)
        add("IN", field_between("date", filter.date_min, filter.date_max, binds));
}

} // namespace

// As the indexes of assets have it (list_indexes_migration()).
std::string equals_ignoring_case(std::string_view column, const std::string& text, const Dialect& dialect,
                                 Binds& binds)
{
    return fmt::format("lower({}{}) = {}", column, dialect.words().ascii_case, binds.add(ascii::lower(text)));
}

void add_facts(const ListQuery& query, const Dialect& dialect, Binds& binds, Conditions& all)
{
    const auto& facts = query.facts;
    FactConditions row(binds, all);
    row.at_least("vertices", count(query.vertices_min));
    row.at_most("vertices", count(query.vertices_max));
    row.at_least("materials", count(query.materials_min));
    row.at_most("materials", count(query.materials_max));
    row.at_least("clips", count(query.clips_min));
    row.at_most("clips", count(query.clips_max));
    row.at_least("file_bytes", count(query.bytes_min));
    row.at_most("file_bytes", count(query.bytes_max));
    row.at_least("extent", millionths(facts.size_min));
    row.at_most_known("extent", millionths(facts.size_max));
    row.at_least("warnings", count(facts.warnings_min));
    row.at_most_known("warnings", count(facts.warnings_max));
    row.at_least("missing_images", count(facts.missing_textures_min));
    row.at_most_known("missing_images", count(facts.missing_textures_max));
    add_created(query, binds, all);
    row.at_least("updated", facts.updated_min);
    row.at_most("updated", facts.updated_max);
    add_text("shown_license", facts.license, dialect, binds, all);
    add_text("shown_author", facts.author, dialect, binds, all);
    for (const auto& [column, value] : {std::pair{"creator", &facts.owner}, {"library", &facts.library}})
        if (!value->empty())
            all.push_back(fmt::format("{}a.{} = {}", dialect.words().unindexed, column, binds.add(*value)));
    add_clip_facts(query.clip_facts, binds, all);
    for (const auto& field : query.custom_fields)
        add_custom_field(field, binds, all);
    for (const auto& code : facts.warning_codes)
        all.push_back(fmt::format("EXISTS (SELECT 1 FROM asset_warnings w WHERE w.asset = a.id AND "
                                  "w.version = a.version AND w.code = {} LIMIT 1 OFFSET 0)",
                                  binds.add(code)));
}

} // namespace vitrine::server
