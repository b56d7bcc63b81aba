#pragma once
// The header of a PLY file: what its elements are made of.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::ply {

enum class PlyEncoding : std::uint8_t { text, little_endian, big_endian };

enum class Type : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

constexpr std::uint64_t bytes_of(Type type)
{
    constexpr std::uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}
constexpr bool is_integer(Type type)
{
    return type < Type::float32;
}

struct Property {
    std::string_view name;
    Type type = Type::float32; // of the value, or of a list's values
    bool is_list = false;
    Type count_type = Type::uint8; // of a list's length
};

// Whether it holds the corners of faces.
inline bool is_corner_list(const Property& property)
{
    return property.is_list && (property.name == "vertex_indices" || property.name == "vertex_index" ||
                                property.name == "vertex_indexes");
}

struct PlyElement {
    std::string_view name;
    std::uint64_t count = 0;
    std::vector<Property> properties;

    // In bytes, of one row with empty lists; in text, of one character and a separator each.
    std::uint64_t smallest_row(PlyEncoding encoding) const;
};

// Views refer to the file.
struct Header {
    PlyEncoding encoding = PlyEncoding::text;
    std::vector<PlyElement> elements;       // in the order of their data
    std::vector<std::string_view> textures; // of "comment TextureFile NAME"
    std::string_view generator;             // the first other comment or obj_info
    std::uint64_t size = 0;                 // bytes; the data begins here
    std::uint64_t lines = 0;
};

// Errors: malformed and unsupported (another version or encoding), with "line N".
LoadResult<Header> parse_header(std::string_view file, io::WarningLog& warnings);

} // namespace vitrine::ply
