#pragma once
// When what changes in a watched folder is complete. No I/O and no clock: events and the time come in.

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace vitrine::cli {

using WatchTime = std::chrono::steady_clock::time_point;

// Files that are imported together: a sub-folder with all that it holds, or the loose files of the folder
// itself.
struct SettledChange {
    std::filesystem::path unit;
    std::set<std::filesystem::path> files; // closed or moved in since the last time
};

class ChangeDebouncer {
public:
    explicit ChangeDebouncer(std::chrono::milliseconds quiet) : quiet_(quiet) {}

    void writing(const std::filesystem::path& unit, const std::filesystem::path& file, WatchTime now);
    void written(const std::filesystem::path& unit, const std::filesystem::path& file, WatchTime now);
    void gone(const std::filesystem::path& unit, const std::filesystem::path& file, WatchTime now);

    // Units in which something was written, nothing is being written, and nothing has happened for the quiet
    // time.
    std::vector<SettledChange> take(WatchTime now);
    // When to take() again although nothing happens; empty: not before something does.
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
