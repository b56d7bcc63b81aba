// The shaders of the resolve and background passes.
#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render::shaders {
namespace {

constexpr std::uint32_t resolve_vertex_code[] = {
#include "vk_renderer/shaders/resolve_vert.inc"
};
constexpr std::uint32_t resolve_code[] = {
#include "vk_renderer/shaders/resolve.inc"
};
constexpr std::uint32_t resolve_multisample_code[] = {
#include "vk_renderer/shaders/resolve_multisample.inc"
};
constexpr std::uint32_t resolve_compute_code[] = {
#include "vk_renderer/shaders/resolve_compute.inc"
};
constexpr std::uint32_t resolve_compute_multisample_code[] = {
#include "vk_renderer/shaders/resolve_compute_multisample.inc"
};
constexpr std::uint32_t background_per_sample_code[] = {
#include "vk_renderer/shaders/background_per_sample.inc"
};

} // namespace

Spirv resolve_vertex()
{
    return resolve_vertex_code;
}

Spirv resolve(bool multisample)
{
    return multisample ? Spirv(resolve_multisample_code) : Spirv(resolve_code);
}

Spirv resolve_compute(bool multisample)
{
    return multisample ? Spirv(resolve_compute_multisample_code) : Spirv(resolve_compute_code);
}

Spirv background_per_sample()
{
    return background_per_sample_code;
}

} // namespace vitrine::render::shaders
