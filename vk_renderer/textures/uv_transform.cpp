#include "vk_renderer/textures/uv_transform.hpp"

#include <cmath>

namespace vitrine::render {

shared::UvTransform uv_transform(const scene::Texture& texture)
{
    const float c = std::cos(texture.rotation), s = std::sin(texture.rotation);
    return {{c * texture.scale.x, s * texture.scale.y, texture.offset.x, static_cast<float>(texture.uv_set)},
            {-s * texture.scale.x, c * texture.scale.y, texture.offset.y, 0.0f}};
}

glm::vec2 transformed(const shared::UvTransform& transform, glm::vec2 uv)
{
    return {transform.u.x * uv.x + transform.u.y * uv.y + transform.u.z,
            transform.v.x * uv.x + transform.v.y * uv.y + transform.v.z};
}

} // namespace vitrine::render
