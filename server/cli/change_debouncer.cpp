#include "server/cli/change_debouncer.hpp"

#include <algorithm>

namespace vitrine::cli {

namespace fs = std::filesystem;

void ChangeDebouncer::writing(const fs::path& unit, const fs::path& file, WatchTime now)
{
    auto& state = units_[unit];
    state.open.insert(file);
    state.last = now;
}

void ChangeDebouncer::written(const fs::path& unit, const fs::path& file, WatchTime now)
{
    auto& state = units_[unit];
    state.open.erase(file);
    state.complete.insert(file);
    state.last = now;
}

void ChangeDebouncer::removed(const fs::path& unit, const fs::path& file, WatchTime now)
{
    auto found = units_.find(unit);
    if (found == units_.end()) return;
    found->second.open.erase(file);
    found->second.complete.erase(file);
    found->second.last = now;
}

std::vector<SettledChange> ChangeDebouncer::take(WatchTime now)
{
    std::vector<SettledChange> settled;
    for (auto at = units_.begin(); at != units_.end();) {
        auto& [unit, state] = *at;
        bool quiet = state.open.empty() && now >= state.last + quiet_;
        if (quiet && !state.complete.empty()) settled.push_back({unit, std::move(state.complete)});
        at = quiet ? units_.erase(at) : std::next(at);
    }
    return settled;
}

std::optional<WatchTime> ChangeDebouncer::next() const
{
    std::optional<WatchTime> first;
    for (const auto& [unit, state] : units_) {
        if (!state.open.empty()) continue;
        auto due = state.last + quiet_;
        first = first ? std::min(*first, due) : due;
    }
    return first;
}

} // namespace vitrine::cli
