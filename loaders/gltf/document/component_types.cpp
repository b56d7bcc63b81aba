#include "loaders/gltf/document/component_types.hpp"

#include <fmt/format.h>

namespace vitrine::gltf {
namespace {

// One bit per component type, for unnormalized and normalized values.
struct Formats {
    unsigned plain = 0;
    unsigned normalized = 0;
};

constexpr unsigned bit(ComponentType type)
{
    return 1u << (static_cast<unsigned>(type) - static_cast<unsigned>(ComponentType::i8));
}

constexpr unsigned i8 = bit(ComponentType::i8), u8 = bit(ComponentType::u8), i16 = bit(ComponentType::i16),
                   u16 = bit(ComponentType::u16), u32 = bit(ComponentType::u32),
                   f32 = bit(ComponentType::f32);

// glTF 2.0, 3.6.2.4 (indices), 3.7.2.1 (attributes), 3.7.3.3 (skins), 3.11 (animations),
// EXT_mesh_gpu_instancing.
constexpr Formats formats_of(AccessorUsage use)
{
    switch (use) {
    case AccessorUsage::texture_coordinates:
    case AccessorUsage::colors:
    case AccessorUsage::weights: return {f32, u8 | u16};
    case AccessorUsage::joints: return {u8 | u16, 0};
    case AccessorUsage::indices: return {u8 | u16 | u32, 0};
    case AccessorUsage::fractions: return {f32, i8 | u8 | i16 | u16};
    case AccessorUsage::instance_rotations: return {f32, i8 | i16};
    case AccessorUsage::positions:
    case AccessorUsage::position_deltas:
    case AccessorUsage::directions:
    case AccessorUsage::times:
    case AccessorUsage::vectors: return {f32, 0};
    }
    return {};
}

// What KHR_mesh_quantization adds.
constexpr Formats quantized_formats_of(AccessorUsage use)
{
    switch (use) {
    case AccessorUsage::positions: return {i8 | u8 | i16 | u16, i8 | u8 | i16 | u16};
    case AccessorUsage::texture_coordinates: return {i8 | u8 | i16 | u16, i8 | i16};
    case AccessorUsage::position_deltas: return {i8 | i16, i8 | i16};
    case AccessorUsage::directions: return {0, i8 | i16};
    default: return {};
    }
}

std::string_view name_of(ComponentType type)
{
    switch (type) {
    case ComponentType::i8: return "BYTE";
    case ComponentType::u8: return "UNSIGNED_BYTE";
    case ComponentType::i16: return "SHORT";
    case ComponentType::u16: return "UNSIGNED_SHORT";
    case ComponentType::u32: return "UNSIGNED_INT";
    case ComponentType::f32: return "FLOAT";
    }
    return "";
}

bool allows(Formats formats, const Accessor& accessor)
{
    return ((accessor.normalized ? formats.normalized : formats.plain) & bit(accessor.type)) != 0;
}

} // namespace

void check_format(Document& document, const Accessor& accessor, AccessorUsage use, io::JsonValue member)
{
    if (allows(formats_of(use), accessor)) return;
    const bool needs_extension = allows(quantized_formats_of(use), accessor);
    if (needs_extension && document.quantized()) return;
    document.warnings().add(
        "invalid_accessor",
        fmt::format("{}{} is not allowed here{}; the numbers are read as declared",
                    accessor.normalized ? "normalized " : "", name_of(accessor.type),
                    needs_extension ? " without KHR_mesh_quantization in extensionsUsed" : ""),
        member.pointer());
}

} // namespace vitrine::gltf
