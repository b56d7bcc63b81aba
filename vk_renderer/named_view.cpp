#include "vk_renderer/named_view.hpp"

#include <array>

namespace vitrine::render {

namespace {

struct NamedView {
    std::string_view name;
    float yaw;
    float pitch;
};

constexpr std::array table{
    NamedView{"front", 0.0f, 0.0f},    NamedView{"back", 180.0f, 0.0f},
    NamedView{"left", -90.0f, 0.0f},   NamedView{"right", 90.0f, 0.0f},
    NamedView{"side", 90.0f, 0.0f},    NamedView{"top", 0.0f, 90.0f},
    NamedView{"bottom", 0.0f, -90.0f}, NamedView{"three-quarter", 30.0f, 15.0f},
};

} // namespace

std::optional<Camera> find_named_view(std::string_view name)
{
    for (const auto& view : table) {
        if (view.name != name) continue;
        Camera camera;
        camera.yaw = view.yaw;
        camera.pitch = view.pitch;
        return camera;
    }
    return std::nullopt;
}

std::string named_views()
{
    std::string names;
    for (const auto& view : table)
        names.append(names.empty() ? "" : ", ").append(view.name);
    return names;
}

} // namespace vitrine::render
