#pragma once
// Collects a loader's warnings, each with its location. A broken file may repeat one mistake a million times,
// so only the first warnings of each code are kept, and one more gives the number of the others.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::io {

class WarningLog {
public:
    static constexpr std::uint64_t max_per_code = 8;

    // Called before a message is formatted: returns false (and counts the warning) if enough warnings of this
    // code are kept.
    bool accepts(std::string_view code);
    // accepts() and store() combined, for messages that are cheap to format. A warning that is already kept
    // is counted once.
    void add(std::string_view code, std::string message, std::string where);
    // Call only after accepts() returned true. `where` is not empty: "line 3" of the current file, a JSON
    // pointer, a name.
    void store(std::string_view code, std::string_view message, std::string where);

    // Sets the file of the following locations: "walk.md5anim: line 3". Empty: the main file, whose name is
    // omitted.
    void enter_file(std::string name) { file_ = std::move(name); }

    std::vector<scene::Warning> take();

private:
    std::string place_in_file(std::string where) const;

    struct CodeCount {
        std::uint64_t count = 0;
        std::string last_place; // of the kept warnings
    };
    std::map<std::string, CodeCount, std::less<>> counts_;
    std::vector<scene::Warning> warnings_;
    std::string file_;
};

} // namespace vitrine::io
