#include "loaders/scene/geometry/up_axis.hpp"

#include <cmath>

#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::scene {
namespace {

constexpr glm::vec3 up{0.0f, 1.0f, 0.0f};

glm::vec3 direction_of(std::string_view word)
{
    glm::vec3 direction(0.0f);
    direction[word.back() - 'x'] = word.size() == 2 ? -1.0f : 1.0f;
    return direction;
}

// The rotation of the smallest angle that turns `direction`, an axis of scene space, up.
glm::mat3 rotation_up(const glm::vec3& direction)
{
    if (direction == up) return glm::mat3(1.0f);
    if (direction == -up) return {{1.0f, 0.0f, 0.0f}, {0.0f, -1.0f, 0.0f}, {0.0f, 0.0f, -1.0f}};
    const auto fixed = glm::cross(direction, up);
    return glm::outerProduct(up, direction) - glm::outerProduct(direction, up) +
           glm::outerProduct(fixed, fixed);
}

} // namespace

bool is_axis_word(std::string_view word)
{
    if (word.starts_with('-')) word.remove_prefix(1);
    return word.size() == 1 && word[0] >= 'x' && word[0] <= 'z';
}

void set_up_axis(Scene& scene, std::string_view word)
{
    const auto file_space = scene.file_space;
    const auto rotation = rotation_up(file_space.axes * direction_of(word));
    if (rotation == glm::mat3(1.0f)) return;
    convert_to_scene_space(scene, {.axes = rotation});
    scene.file_space = {.axes = rotation * file_space.axes, .unit_meters = file_space.unit_meters};
    const auto front = rotation * file_space.front;
    if (std::abs(front.y) < 0.5f) scene.file_space.front = front; // else that of most formats: +Z
}

} // namespace vitrine::scene
