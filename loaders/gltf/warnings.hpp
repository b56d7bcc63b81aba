#pragma once
// The warnings of one load, bounded: a file may repeat a mistake a million times.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class Warnings {
public:
    // The same warning twice counts once. At most 20 of a code are kept; the last of them says so.
    void add(std::string_view code, std::string message, std::string where);
    std::vector<scene::Warning> take() { return std::move(kept_); }

private:
    std::vector<scene::Warning> kept_;
    std::map<std::string, int, std::less<>> count_;
};

} // namespace vitrine::gltf
