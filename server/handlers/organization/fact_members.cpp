#include "server/handlers/organization/fact_members.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/routing/json_responses.hpp"
#include "server/services/organization/tag_table.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_fact_bytes = 255;
constexpr std::size_t max_url_bytes = 2000;

void check_fact(BodyMembers& members, std::string_view name, const std::optional<std::string>& text,
                std::size_t max_bytes)
{
    if (!text) return;
    if (has_control_character(*text)) members.reject(name, "must not contain control characters");
    if (text->size() > max_bytes) members.reject(name, fmt::format("must have at most {} bytes", max_bytes));
}

// Pages show it as a link.
bool is_web_address(std::string_view text)
{
    const auto begins_with = [&](std::string_view scheme) {
        return text.size() > scheme.size() && ascii::lower(text.substr(0, scheme.size())) == scheme;
    };
    return begins_with("https://") || begins_with("http://");
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
