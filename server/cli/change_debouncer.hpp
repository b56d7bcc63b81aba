#pragma once
// Decides when the changes in a watched folder are complete. No I/O and no clock: events and times are passed
// in.

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace vitrine::cli {

using WatchTime = std::chrono::steady_clock::time_point;

// Files that are imported together: a subfolder with all its content, or the loose files of the folder.
struct SettledChange {
    std::filesystem::path unit;
    std::set<std::filesystem::path> files; // closed or moved in since the last take()
};

class ChangeDebouncer {
public:
    explicit ChangeDebouncer(std::chrono::milliseconds quiet) : quiet_(quiet) {}

    void writing(const std::filesystem::path& unit, const std::filesystem::path& file, WatchTime now);
    void written(const std::filesystem::path& unit, const std::filesystem::path& file, WatchTime now);
    void removed(const std::filesystem::path& unit, const std::filesystem::path& file, WatchTime now);

    // Returns the units that were written to, have no open writer, and had no event for the quiet time.
    std::vector<SettledChange> take(WatchTime now);
    // Returns when to call take() again without an event; empty: only after the next event.
    std::optional<WatchTime> next() const;

private:
    struct Unit {
        std::set<std::filesystem::path> open;
        std::set<std::filesystem::path> complete;
        WatchTime last{};
    };
    std::chrono::milliseconds quiet_;
    std::map<std::filesystem::path, Unit> units_;
};

} // namespace vitrine::cli
