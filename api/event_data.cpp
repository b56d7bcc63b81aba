#include "api/json_text.hpp"
#include "api/resources.hpp"

// Data of events, and versions of assets, which they have.

namespace vitrine::api {

namespace json = boost::json;

json::object to_json(const Version& version)
{
    return {{"version", version.number},
            {"createdAt", to_rfc3339(version.created)},
            {"sizeBytes", version.size_bytes},
            {"mainFile", version.main_file},
            {"status", to_string(version.status)},
            {"current", version.is_current},
            {"format", version.format.empty() ? json::value(nullptr) : json::value(version.format)},
            {"problem", version.problem ? json::value(to_json(*version.problem)) : json::value(nullptr)},
            {"job", version.job},
            {"restoredFrom",
             version.restored_from == 0 ? json::value(nullptr) : json::value(version.restored_from)},
            {"upAxis", version.up_axis.empty() ? json::value(nullptr) : json::value(version.up_axis)}};
}

std::string event_data(std::string_view type, const Asset& asset)
{
    auto body = type == "asset.deleted" ? json::object{{"id", asset.id}} : to_json(asset);
    return to_text(json::object{{"asset", std::move(body)}});
}

std::string event_data(const Asset& asset, const Version& version)
{
    return to_text(boost::json::object{{"asset", to_json(asset)}, {"version", to_json(version)}});
}

std::string event_data(const Job& job)
{
    return to_text(json::object{{"job", to_json(job)}});
}

} // namespace vitrine::api
