#include <algorithm>
#include <cmath>

#include "loaders/3ds/sections.hpp"
#include "loaders/base/srgb.hpp"

namespace vitrine::threeds {
namespace {

float unit(float value)
{
    return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0.0f;
}

glm::vec3 unit(const glm::vec3& color)
{
    return {unit(color.x), unit(color.y), unit(color.z)};
}

glm::vec3 to_linear(const glm::vec3& srgb)
{
    return linear_from_srgb(unit(srgb));
}

glm::vec3 from_bytes(const std::array<std::uint8_t, 3>& bytes)
{
    return glm::vec3(bytes[0], bytes[1], bytes[2]) / 255.0f;
}

// Prefers the gamma-corrected color, else the linear one; release 3 and later write both.
std::optional<glm::vec3> color(const Chunk& chunk, io::WarningLog& warnings)
{
    std::optional<glm::vec3> shown, linear;
    ChunkReader in(chunk, warnings);
    while (const auto part = in.next()) {
        ChunkReader values(*part, warnings);
        switch (part->id) {
        case id::color_float: shown = to_linear(values.read<glm::vec3>()); break;
        case id::color_bytes:
            shown = to_linear(from_bytes(values.read<std::array<std::uint8_t, 3>>()));
            break;
        case id::linear_color_bytes: linear = from_bytes(values.read<std::array<std::uint8_t, 3>>()); break;
        case id::linear_color_float: linear = unit(values.read<glm::vec3>()); break;
        default: break;
        }
    }
    return shown ? shown : linear;
}

// Returns 0 to 1. Integers are percentages; so are floats of some programs, when they exceed 1.
std::optional<float> percent(const Chunk& part, io::WarningLog& warnings)
{
    ChunkReader values(part, warnings);
    if (part.id == id::percent_int) return unit(static_cast<float>(values.read<std::int16_t>()) / 100.0f);
    if (part.id != id::percent_float) return std::nullopt;
    const auto value = values.read<float>();
    return unit(value > 1.0f ? value / 100.0f : value);
}

float percent_in(const Chunk& chunk, io::WarningLog& warnings)
{
    ChunkReader in(chunk, warnings);
    while (const auto part = in.next())
        if (const auto value = percent(*part, warnings)) return *value;
    return 0.0f;
}

float finite(float value, float otherwise)
{
    return std::isfinite(value) && std::abs(value) < 1e6f ? value : otherwise;
}

std::optional<Map> map_in(const Chunk& chunk, io::WarningLog& warnings)
{
    Map map;
    map.at = chunk.at;
    ChunkReader in(chunk, warnings);
    while (const auto part = in.next()) {
        ChunkReader values(*part, warnings);
        if (const auto amount = percent(*part, warnings)) map.amount = *amount;
        switch (part->id) {
        case id::map_name: map.file = values.read_text(); break;
        case id::map_tiling: {
            const auto flags = values.read<std::uint16_t>();
            map.mirror = (flags & 0x02) != 0;
            map.negative = (flags & 0x08) != 0;
            map.tile = (flags & 0x10) == 0;
            break;
        }
        case id::map_u_scale: map.scale.x = finite(values.read<float>(), 1.0f); break;
        case id::map_v_scale: map.scale.y = finite(values.read<float>(), 1.0f); break;
        case id::map_u_offset: map.offset.x = finite(values.read<float>(), 0.0f); break;
        case id::map_v_offset: map.offset.y = finite(values.read<float>(), 0.0f); break;
        case id::map_angle: map.angle = finite(values.read<float>(), 0.0f); break;
        default: break;
        }
    }
    if (map.scale.x == 0.0f || map.scale.y == 0.0f) map.scale = glm::vec2(1.0f);
    return map.file.empty() ? std::nullopt : std::optional(map);
}

class MaterialParser {
public:
    explicit MaterialParser(io::WarningLog& warnings) : warnings_(warnings) {}

    MaterialEntry parse(const Chunk& chunk)
    {
        material_.at = chunk.at;
        ChunkReader in(chunk, warnings_);
        while (const auto part = in.next())
            if (!surface(*part)) maps(*part);
        return material_;
    }

private:
    bool surface(const Chunk& part);
    void maps(const Chunk& part);

    io::WarningLog& warnings_;
    MaterialEntry material_;
};

bool MaterialParser::surface(const Chunk& part)
{
    constexpr std::uint16_t metal_shading = 4;
    ChunkReader values(part, warnings_);
    switch (part.id) {
    case id::material_name: material_.name = values.read_text(); break;
    case id::diffuse: material_.diffuse = color(part, warnings_); break;
    case id::specular: material_.specular = color(part, warnings_); break;
    case id::shininess: material_.shininess = percent_in(part, warnings_); break;
    case id::shininess_strength: material_.shininess_strength = percent_in(part, warnings_); break;
    case id::transparency: material_.transparency = percent_in(part, warnings_); break;
    case id::self_illumination: material_.self_illumination = percent_in(part, warnings_); break;
    case id::self_illuminated: material_.self_illumination = 1.0f; break;
    case id::two_sided: material_.two_sided = true; break;
    case id::shading: material_.metal = values.read<std::uint16_t>() == metal_shading; break;
    case id::wire:
        warnings_.add("wire_material", "wireframe materials are not supported; surfaces are shown",
                      place(part.at));
        break;
    case id::additive:
        warnings_.add("additive_material",
                      "additive transparency is not supported; ordinary transparency is used",
                      place(part.at));
        break;
    default: return false;
    }
    return true;
}

void MaterialParser::maps(const Chunk& part)
{
    switch (part.id) {
    case id::texture_map: material_.texture = map_in(part, warnings_); break;
    case id::opacity_map: material_.opacity = map_in(part, warnings_); break;
    case id::bump_map: material_.bump = map_in(part, warnings_); break;
    case id::self_illumination_map: material_.self_illumination_map = map_in(part, warnings_); break;
    case id::specular_map:
    case id::shininess_map:
    case id::reflection_map:
    case id::second_texture_map:
        if (map_in(part, warnings_))
            warnings_.add("map_not_shown",
                          "second textures and textures of highlights or reflections are not supported; they "
                          "are ignored",
                          place(part.at));
        break;
    default: break;
    }
}

} // namespace

MaterialEntry parse_material(const Chunk& chunk, io::WarningLog& warnings)
{
    return MaterialParser(warnings).parse(chunk);
}

} // namespace vitrine::threeds
