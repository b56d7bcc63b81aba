#include "api/json_text.hpp"
#include "api/resources.hpp"

// Data of events.

namespace vitrine::api {

namespace json = boost::json;

std::string event_data(std::string_view type, const Asset& asset)
{
    auto body = type == "asset.deleted" ? json::object{{"id", asset.id}} : to_json(asset);
    return to_text(json::object{{"asset", std::move(body)}});
}

std::string event_data(const Job& job)
{
    return to_text(json::object{{"job", to_json(job)}});
}

} // namespace vitrine::api
