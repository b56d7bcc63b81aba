#include "server/services/events/visible_events.hpp"

#include <map>
#include <utility>

#include <boost/json/parse.hpp>

#include "api/json_text.hpp"
#include "server/services/events/event_filter.hpp"

namespace vitrine::server {
namespace {

void hide_member(boost::json::object& collection, std::string_view name, bool is_visible)
{
    if (!is_visible) collection[name] = nullptr;
}

std::string text_of(const boost::json::object& object, std::string_view name)
{
    const auto* const member = object.if_contains(name);
    return member != nullptr && member->is_string() ? std::string(member->as_string()) : std::string();
}

// Null: it is not visible.
SharedEvent visible_collection_event(DatabaseConnection& sql, const SharedEvent& event)
{
    auto value = boost::json::parse(event->data);
    auto* const data = value.if_object();
    auto* const member = data != nullptr ? data->if_contains("collection") : nullptr;
    if (member == nullptr || !member->is_object()) return nullptr;
    auto& collection = member->as_object();
    if (!is_visible_collection(sql, text_of(collection, "id"))) return nullptr;
    hide_member(collection, "parent", is_visible_collection(sql, text_of(collection, "parent")));
    hide_member(collection, "cover", is_visible_asset(sql, text_of(collection, "cover")));
    auto shown = std::make_shared<Event>(*event);
    shown->data = api::to_text(value);
    return shown;
}

// Custom fields are of all collections of the asset.
SharedEvent without_custom_fields(const SharedEvent& event)
{
    auto value = boost::json::parse(event->data);
    auto* const data = value.if_object();
    auto* const member = data != nullptr ? data->if_contains("asset") : nullptr;
    if (member == nullptr || !member->is_object() || !member->as_object().contains("fieldValues"))
        return event;
    member->as_object()["fieldValues"] = boost::json::array();
    auto shown = std::make_shared<Event>(*event);
    shown->data = api::to_text(value);
    return shown;
}

} // namespace

std::vector<SharedEvent> visible_events(const std::vector<SharedEvent>& events,
                                        const SharedVisibility& visible, DatabaseConnections& database)
{
    const VisibilityScope seen(visible);
    return database.read([&](DatabaseConnection& sql) {
        std::map<std::string, bool, std::less<>> assets;
        std::vector<SharedEvent> shown;
        for (const auto& event : events) {
            if (event->type.starts_with("collection.")) {
                if (auto of_collection = visible_collection_event(sql, event))
                    shown.push_back(std::move(of_collection));
                continue;
            }
            const std::string asset(asset_of(*event));
            if (asset.empty()) continue;
            const auto [known, is_new] = assets.try_emplace(asset, false);
            if (is_new) known->second = is_visible_asset(sql, asset);
            if (known->second) shown.push_back(without_custom_fields(event));
        }
        return shown;
    });
}

} // namespace vitrine::server
