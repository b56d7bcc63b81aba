#include "server/services/shared_quarantine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <spdlog/spdlog.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {

SharedQuarantine::~SharedQuarantine()
{
    renders_.on_quarantined({});
}

void SharedQuarantine::share_at_once()
{
    renders_.on_quarantined([this](const std::string& group) {
        try {
            share(group);
        } catch (const StorageError& error) {
            spdlog::warn("msg=\"other processes will hear of a quarantine later\" error=\"{}\"",
                         error.what());
        }
    });
}

// exchange() on another thread may have written the row first; then it may have been lifted already.
void SharedQuarantine::share(const std::string& group)
{
    const std::lock_guard lock(mutex_);
    const auto groups = renders_.quarantined_groups();
    if (shared_.contains(group) || !std::ranges::binary_search(groups, group)) return;
    queue_.quarantine(group);
    shared_.insert(group);
}

void SharedQuarantine::exchange()
{
    const std::lock_guard lock(mutex_);
    for (const auto& group : renders_.quarantined_groups())
        if (!shared_.contains(group)) {
            queue_.quarantine(group);
            shared_.insert(group);
        }
    auto rows = queue_.quarantined();
    std::ranges::sort(rows);
    for (const auto& group : std::exchange(shared_, {}))
        if (std::ranges::binary_search(rows, group))
            shared_.insert(group);
        else
            renders_.lift_quarantine(group);
    renders_.set_others_quarantined(std::move(rows));
}

// What this process quarantines after this is new, whatever it has shared before: exchange() writes its row
// again.
void SharedQuarantine::lift(const std::string& group)
{
    const auto holds = [&](const std::string& quarantined) { return has_member(quarantined, group); };
    const std::lock_guard lock(mutex_);
    auto rows = queue_.quarantined();
    std::erase_if(rows, [&](const std::string& row) { return !holds(row); });
    if (!rows.empty()) queue_.lift_quarantine(rows);
    std::erase_if(shared_, holds);
    renders_.lift_quarantine(group);
}

} // namespace vitrine::server
