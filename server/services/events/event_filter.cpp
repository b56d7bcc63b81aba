#include "server/services/events/event_filter.hpp"

#include <algorithm>

#include "server/services/events/event_types.hpp"

namespace vitrine::server {

// The data begins with {"asset":{"id":"ID" or {"job":{"id":"...","kind":"...","asset":"ID"
// (api/event_data.cpp): in the text of a string the quotes would follow a backslash.
std::string_view asset_of(const Event& event)
{
    constexpr std::string_view member = "\"asset\":", object = "{\"id\":";
    std::string_view rest = event.data;
    const auto at = rest.find(member);
    if (at == rest.npos) return {};
    rest.remove_prefix(at + member.size());
    if (rest.starts_with(object)) rest.remove_prefix(object.size());
    if (!rest.starts_with('"')) return {};
    rest.remove_prefix(1);
    return rest.substr(0, rest.find('"'));
}

bool EventFilter::wants(const Event& event) const
{
    const auto names = [&](const std::string& type) { return names_event_type(type, event.type); };
    if (!types.empty() && std::ranges::none_of(types, names)) return false;
    return assets.empty() || std::ranges::find(assets, asset_of(event)) != assets.end();
}

} // namespace vitrine::server
