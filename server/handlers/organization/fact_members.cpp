#include "server/handlers/organization/fact_members.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/routing/json_responses.hpp"
#include "server/services/organization/tag_table.hpp"

namespace vitrine::server {
namespace {

void check_fact(BodyMembers& members, std::string_view name, const std::optional<std::string>& text,
                std::size_t max_bytes)
{
    if (!text) return;
    if (has_control_character(*text)) members.reject(name, "must not contain control characters");
    if (text->size() > max_bytes) members.reject(name, fmt::format("must have at most {} bytes", max_bytes));
}

} // namespace

std::optional<std::vector<std::string>> read_tags(BodyMembers& members)
{
    auto tags = members.texts("tags", 0, max_asset_tags);
    if (tags)
        for (const auto& tag : *tags)
            members.reject("tags", tag_fault(tag));
    return tags;
}

std::vector<FieldValueChange> read_field_values(BodyMembers& members)
{
    members.require("values");
    std::vector<FieldValueChange> values;
    const auto* const member = members.find("values");
    if (!member) return values;
    const auto* const object = member->if_object();
    if (!object || object->empty() || object->size() > max_changed_values) {
        members.reject("values", fmt::format("must be an object of 1 to {} values", max_changed_values));
        return values;
    }
    for (const auto& [name, value] : *object)
        values.push_back({std::string(name), value});
    return values;
}

void read_facts(BodyMembers& members, AssetChange& change)
{
    change.license = members.text_or_null("license");
    change.author = members.text_or_null("author");
    change.source_url = members.text_or_null("sourceUrl");
    check_fact(members, "license", change.license, max_fact_bytes);
    check_fact(members, "author", change.author, max_fact_bytes);
    check_fact(members, "sourceUrl", change.source_url, max_url_bytes);
    if (change.source_url && !change.source_url->empty() && !is_web_address(*change.source_url))
        members.reject("sourceUrl", "must begin with https:// or http://");
}

} // namespace vitrine::server
