#pragma once
// What a subscriber by grants on collections gets of events. Any thread, blocking. Throws StorageError.

#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {

// Those about assets and collections that are visible now, without the parents and covers of collections that
// are not. Events of what exists no more, and of tags, are about nothing visible.
std::vector<SharedEvent> visible_events(const std::vector<SharedEvent>& events,
                                        const SharedVisibility& visible, DatabaseConnections& database);

} // namespace vitrine::server
