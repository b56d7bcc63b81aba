#pragma once
// Which events a subscriber wants.

#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/records.hpp"

namespace vitrine::server {

struct EventFilter {
    std::vector<std::string> types{};  // is_event_filter() in event_types.hpp; empty: all
    std::vector<std::string> assets{}; // ids; empty: all

    bool is_empty() const { return types.empty() && assets.empty(); }
    bool wants(const Event& event) const;
};

// The id of the asset that the event is about.
std::string_view asset_of(const Event& event);

} // namespace vitrine::server
