#include "loaders/fbx/document/file_space.hpp"

#include <cmath>

namespace vitrine::fbx {
namespace {

struct Axis {
    std::int64_t index;
    float sign;
};

Axis read_axis(const Properties& settings, std::string_view name, std::string_view sign_name,
               std::int64_t fallback)
{
    return {settings.integer(name, fallback), settings.integer(sign_name, 1) < 0 ? -1.0f : 1.0f};
}

} // namespace

// CoordAxis points to the right (the scene's x), UpAxis up (y); FrontAxis points towards the viewer (z),
// whose sign makes the system right- or left-handed.
scene::FileSpace file_space(const Document& document, io::WarningLog& warnings)
{
    const Properties& settings = document.global_settings();
    scene::FileSpace space;
    const double unit = settings.real("UnitScaleFactor", 1.0);
    const bool is_unit = unit > 1e-12 && unit < 1e12;
    space.unit_metres = is_unit ? unit / 100.0 : 0.01;
    if (!is_unit)
        warnings.add("fbx_unit_invalid", "the file's unit is invalid; centimeters are used",
                     "GlobalSettings");
    const Axis right = read_axis(settings, "CoordAxis", "CoordAxisSign", 0);
    const Axis up = read_axis(settings, "UpAxis", "UpAxisSign", 1);
    const Axis front = read_axis(settings, "FrontAxis", "FrontAxisSign", 2);
    const auto is_axis = [](const Axis& a) { return a.index >= 0 && a.index <= 2; };
    const bool is_space = is_axis(right) && is_axis(up) && is_axis(front) && right.index != up.index &&
                          up.index != front.index && front.index != right.index;
    if (!is_space) {
        warnings.add("fbx_axes_invalid", "the file's axes are not a coordinate system; Y is used as up",
                     "GlobalSettings");
        return space;
    }
    space.axes = glm::mat3(0.0f); // columns: scene directions of the file's x, y, z
    space.axes[static_cast<glm::length_t>(right.index)].x = right.sign;
    space.axes[static_cast<glm::length_t>(up.index)].y = up.sign;
    space.axes[static_cast<glm::length_t>(front.index)].z = front.sign;
    return space;
}

} // namespace vitrine::fbx
