#pragma once
// Assets and jobs as JSON, with the member names of api/README.md. Used by handlers and events.

#include <string_view>

#include <boost/json/object.hpp>

#include "server/services/catalog/records.hpp"
#include "server/services/events/event_bus.hpp"

namespace vitrine::server {

boost::json::object to_json(const AssetRecord& asset);
boost::json::object to_json(const JobRecord& job);
boost::json::object to_json(const ProblemRecord& problem);

// Publishes {"asset": ...}; "asset.deleted" has only the id.
void announce(EventBus& events, std::string_view type, const AssetRecord& asset);
void announce(EventBus& events, const JobRecord& job);

} // namespace vitrine::server
