#pragma once
// Collects a loader's warnings. A hostile or merely broken file repeats one mistake a million times; of each
// code the first few are kept with their places, and the last of them says how many there were.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::io {

class WarningLog {
public:
    static constexpr std::uint64_t kept_per_code = 4;

    // Asked before a message is formatted: false once enough of this code are kept (it is counted).
    bool wants(std::string_view code);
    // wants() and add() in one, where the message costs nothing.
    void add(std::string_view code, std::string message, std::string where);
    // After wants() said yes.
    void keep(std::string_view code, std::string message, std::string where);

    std::vector<scene::Warning> take();

private:
    std::map<std::string, std::uint64_t, std::less<>> seen_;
    std::vector<scene::Warning> warnings_;
};

} // namespace vitrine::io
