#pragma once
// Collects a loader's warnings, each with its place. A hostile or merely broken file repeats one mistake a
// million times: of each code the first few are kept, and one more says how many followed.

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

    // Asked before a message is formatted: false once enough of this code are kept (it is counted).
    bool wants(std::string_view code);
    // wants() and keep() in one, where the message costs nothing. What was kept already counts once.
    void add(std::string_view code, std::string message, std::string where);
    // After wants() said yes. `where` is not empty: "line 3" of the file that is being read, a JSON pointer,
    // a name.
    void keep(std::string_view code, std::string_view message, std::string where);

    // Places from here on lie in this file: "walk.md5anim: line 3". Empty: the model's own file, which goes
    // without saying.
    void enter_file(std::string name) { file_ = std::move(name); }

    std::vector<scene::Warning> take();

private:
    std::string place_in_file(std::string where) const;

    struct Seen {
        std::uint64_t count = 0;
        std::string last_place; // of those kept
    };
    std::map<std::string, Seen, std::less<>> seen_;
    std::vector<scene::Warning> warnings_;
    std::string file_;
};

} // namespace vitrine::io
