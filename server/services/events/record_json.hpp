#pragma once
// Assets and jobs as JSON, with the member names of api/README.md. Used by handlers and events.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "server/services/catalog/records.hpp"
#include "server/services/events/event_bus.hpp"

namespace vitrine::server {

boost::json::object to_json(const AssetRecord& asset);
boost::json::object to_json(const JobRecord& job);
boost::json::object to_json(const ProblemRecord& problem);

// Returns the id of a clip in the API: "c" and its index; stable within a version.
std::string clip_id(std::uint32_t index);
// Parses "c3" or "3"; the index must be less than `count`.
std::optional<std::uint32_t> find_clip(std::string_view text, std::uint64_t count);

// Publishes {"asset": ...}; "asset.deleted" has only the id.
void announce(EventBus& events, std::string_view type, const AssetRecord& asset);
void announce(EventBus& events, const JobRecord& job);

} // namespace vitrine::server
