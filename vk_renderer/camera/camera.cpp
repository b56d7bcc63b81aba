#include "vk_renderer/camera/camera.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "loaders/base/srgb.hpp"
#include "vk_renderer/base/options.hpp"

namespace vitrine::render {
namespace {

constexpr double framing_margin = 1.05; // around the bounding sphere

struct Lens {
    glm::dvec3 toward; // from the target to the eye, unit length
    glm::dvec3 right, up;
    double distance;
    double tan_x, tan_y;   // half angles
    double half_x, half_y; // half extents at the target, for orthographic views
};

glm::dvec3 direction(double yaw_degrees, double pitch_degrees)
{
    const double yaw = glm::radians(yaw_degrees);
    const double pitch = glm::radians(pitch_degrees);
    return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
}

Lens lens_of(const View& view, double radius)
{
    const auto& camera = view.camera;
    const double aspect = static_cast<double>(view.width) / view.height;
    Lens lens{};
    lens.toward = direction(camera.yaw, camera.pitch);
    const double yaw = glm::radians(static_cast<double>(camera.yaw));
    lens.right = {std::cos(yaw), 0.0, -std::sin(yaw)};
    lens.up = glm::cross(lens.toward, lens.right);
    lens.tan_y = std::tan(glm::radians(std::clamp(static_cast<double>(camera.vertical_fov), 1.0, 170.0)) / 2);
    lens.tan_x = lens.tan_y * aspect;
    const double narrow = std::atan(std::min(lens.tan_x, lens.tan_y));
    const double fit = framing_margin * radius / std::sin(narrow);
    lens.distance = camera.distance ? std::max(static_cast<double>(*camera.distance), radius * 1e-3) : fit;
    // Orthographic: the extent that the perspective view has at the target's depth; by default the sphere
    // fits.
    const double half =
        camera.distance ? lens.distance * lens.tan_y : framing_margin * radius * std::max(1.0, 1.0 / aspect);
    lens.half_y = half;
    lens.half_x = half * aspect;
    return lens;
}

// Reversed depth (1 near, 0 at infinity) for better precision at a distance.
// Clip-space w is the view depth in units of the power of two below `radius` (> 0), which keeps it away from
// the limits of the float range for models of any size.
glm::dmat4 perspective(const Lens& lens, double near, double radius)
{
    glm::dmat4 m(0.0);
    m[0][0] = 1.0 / lens.tan_x;
    m[1][1] = -1.0 / lens.tan_y; // Vulkan's clip-space y points down
    m[2][3] = -1.0;
    m[3][2] = near;
    return m * std::ldexp(1.0, -std::ilogb(radius));
}

// Bounding sphere of a box.
struct Sphere {
    glm::dvec3 center;
    double radius;
};

Sphere sphere_of(const scene::Aabb& box)
{
    const glm::dvec3 low(box.min), high(box.max), center = 0.5 * (low + high);
    const double max_center_coordinate =
        std::max({std::abs(center.x), std::abs(center.y), std::abs(center.z)});
    // A minimum radius, so that a single point can be framed.
    return {center, std::max(0.5 * glm::length(high - low), std::max(max_center_coordinate * 1e-6, 1e-12))};
}

glm::dmat4 orthographic(const Lens& lens, double near, double far)
{
    glm::dmat4 m(0.0);
    m[0][0] = 1.0 / lens.half_x;
    m[1][1] = -1.0 / lens.half_y;
    m[2][2] = 1.0 / (far - near);
    m[3][2] = far / (far - near);
    m[3][3] = 1.0;
    return m;
}

// Rotation and the eye's position relative to the center.
glm::dmat4 view_matrix(const Lens& lens, glm::dvec3 eye)
{
    glm::dmat4 m(1.0);
    for (int i = 0; i < 3; ++i) {
        m[i][0] = lens.right[i];
        m[i][1] = lens.up[i];
        m[i][2] = lens.toward[i];
    }
    return glm::translate(m, -eye);
}

// Returns the fraction of a shadow map texel that a model thinner than the texel covers, which scales its
// shadow. Lines have no width in the scene, only in the image.
float shadow_coverage(const glm::vec3& size, float texel)
{
    const float thickness = std::max(std::min(size.x, std::max(size.y, size.z)), std::min(size.y, size.z));
    return thickness > 0.0f ? std::min(thickness / texel, 1.0f) : 1.0f;
}

// Sets the area of the floor onto which the key light projects the sphere's shadow, with a margin for the
// blur.
void set_ground(shared::ImageParams& params, const scene::Aabb& framing, float radius)
{
    const glm::vec3 key(params.key_light_dir);
    const float floor_distance = 0.5f * framing.size().y;      // distance from the center to the floor
    const float shadow_length = 2.0f * floor_distance / key.y; // length of the shadow of the model's top
    const glm::vec2 half = 0.5f * glm::vec2(framing.size().x, framing.size().z);
    const glm::vec2 along(-key.x * shadow_length, -key.z * shadow_length);
    const float width =
        2.0f *
        (std::max(half.x + 0.5f * std::abs(along.x), half.y + 0.5f * std::abs(along.y)) + 0.16f * radius);
    const float strength =
        shadow_coverage(framing.size(), width / static_cast<float>(shared::shadow_map_size));
    params.ground = {-floor_distance, strength, 1.0f / radius, 1.0f};
    params.shadow_map = {0.5f * along.x, 0.5f * along.y, 1.0f / width,
                         1.0f / std::max(2.0f * floor_distance, 1e-20f)};
}

void set_background(shared::ImageParams& params, const View& view)
{
    const bool studio = view.light == LightingPreset::studio;
    params.backdrop = glm::vec4(studio && !view.background ? 1.0f : 0.0f);
    params.background = to_linear_premultiplied(view.background.value_or(glm::vec4(1.0f)));
}

} // namespace

glm::vec4 to_linear_premultiplied(glm::vec4 color)
{
    const auto linear = [](float s) { return linear_from_srgb(std::clamp(s, 0.0f, 1.0f)); };
    const float alpha = std::clamp(color.w, 0.0f, 1.0f);
    return {linear(color.x) * alpha, linear(color.y) * alpha, linear(color.z) * alpha, alpha};
}

void check_framing(const scene::Aabb& framing)
{
    if (framing.empty()) throw RenderError("the scene has nothing to draw");
    const glm::dvec3 size = glm::dvec3(framing.max) - glm::dvec3(framing.min);
    if (!std::isfinite(size.x + size.y + size.z) ||
        std::max({size.x, size.y, size.z}) > 2.0 * scene::max_coordinate)
        throw Undrawable("the model's size in this pose is not finite and cannot be rendered");
}

shared::ImageParams image_params(const View& view, const Framing& framing, glm::dvec3 origin)
{
    check_framing(framing.model);
    const auto model = sphere_of(framing.model);
    const bool is_aimed = view.camera.distance || view.camera.target;
    const auto framed = is_aimed ? model : sphere_of(framing.framed);
    const glm::vec3 center(model.center);
    const double radius = model.radius;
    const auto lens = lens_of(view, framed.radius);
    const glm::dvec3 target =
        view.camera.target ? glm::dvec3(*view.camera.target) + (view.origin - origin) - glm::dvec3(center)
                           : framed.center - glm::dvec3(center);
    const glm::dvec3 eye = target + lens.toward * lens.distance;
    const bool flat = view.camera.orthographic;
    const double max_depth_offset = glm::length(target) + 8.0 * framed.radius;
    const double near =
        std::max(0.5 * (lens.distance - max_depth_offset), 1e-3 * std::min(lens.distance, radius));
    const auto projection =
        flat ? orthographic(lens, lens.distance - max_depth_offset, lens.distance + max_depth_offset)
             : perspective(lens, near, radius);
    const float yaw = glm::radians(view.camera.yaw), below = glm::radians(std::max(-view.camera.pitch, 0.0f));
    shared::ImageParams params{};
    params.clip_from_centered = glm::mat4(projection * view_matrix(lens, eye));
    params.center = glm::vec4(center, static_cast<float>(radius));
    params.eye = glm::vec4(glm::vec3(eye), flat ? 0.0f : 1.0f);
    params.center_ray = glm::vec4(glm::vec3(-lens.toward), 1.0f);
    params.ray_x = glm::vec4(glm::vec3(lens.right * (flat ? lens.half_x : lens.tan_x)), 0.0f);
    params.ray_y = glm::vec4(glm::vec3(-lens.up * (flat ? lens.half_y : lens.tan_y)), 0.0f);
    params.camera_yaw_pitch = {std::cos(yaw), std::sin(yaw), std::cos(below), std::sin(below)};
    params.key_light_dir =
        glm::vec4(glm::vec3(direction(view.camera.yaw + shared::key_angles.x, shared::key_angles.y)), 0.0f);
    if (view.light == LightingPreset::studio) set_ground(params, framing.model, static_cast<float>(radius));
    set_background(params, view);
    return params;
}

} // namespace vitrine::render
