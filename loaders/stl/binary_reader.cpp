#include <array>
#include <cstring>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/srgb.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/stl/document.hpp"
#include "loaders/stl/solid_builder.hpp"

namespace vitrine::stl {
namespace {

constexpr std::size_t header_bytes = 80, prefix_bytes = 84;

#pragma pack(push, 1)
struct Facet {
    glm::vec3 normal;
    std::array<glm::vec3, 3> corners;
    std::uint16_t attribute;
};
#pragma pack(pop)
static_assert(sizeof(Facet) == 50);

// How the attributes of facets are used.
//   viscam  VisCAM, SolidView: bit 15 set: the facet's color, red in the highest five bits
//   magics  Materialise Magics, whose header has the color of the part after "COLOR=": bit 15 clear: the
//           facet's color, red in the lowest five bits
enum class ColorDialect : std::uint8_t { none, viscam, magics };

constexpr std::uint16_t color_bit = 0x8000;

std::uint32_t declared_facets(Bytes bytes)
{
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + header_bytes, sizeof count);
    return count;
}

// Of five bits each, `red` at this bit.
std::uint32_t packed_color(std::uint16_t attribute, unsigned red, unsigned blue)
{
    const auto part = [attribute](unsigned at) { return ((attribute >> at & 31u) * 255u + 15u) / 31u; };
    return part(red) | part(5) << 8 | part(blue) << 16;
}

class BinaryReader {
public:
    BinaryReader(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
        : bytes_(bytes), limits_(limits), warnings_(warnings)
    {
    }
    LoadResult<Document> run(const std::string& stem);

private:
    LoadResult<void> count_facets();
    void read_header();
    std::optional<std::uint32_t> color_after(std::string_view word) const;
    void find_dialect();
    std::uint32_t color_of(std::uint16_t attribute) const;
    Facet facet(std::uint64_t i) const
    {
        Facet facet{};
        std::memcpy(&facet, bytes_.data() + prefix_bytes + i * sizeof(Facet), sizeof(Facet));
        return facet;
    }

    Bytes bytes_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Document document_;
    std::uint32_t part_color_ = 0xFFFF'FFFF; // as in the header
    ColorDialect dialect_ = ColorDialect::none;
};

// Some programs write 0, or a number that they had only planned.
LoadResult<void> BinaryReader::count_facets()
{
    if (bytes_.size() < prefix_bytes)
        return fail(LoadErrc::truncated, "", "the file is neither text nor a header of 84 bytes with facets");
    const std::uint64_t declared = declared_facets(bytes_), rest = bytes_.size() - prefix_bytes;
    const std::uint64_t present = rest / sizeof(Facet);
    if (declared > present && rest % sizeof(Facet) != 0)
        return fail(LoadErrc::truncated, fmt::format("byte {}", bytes_.size()),
                    fmt::format("the file declares {} facets and ends within facet {}", declared, present));
    if (declared > 0 && present == 0)
        return fail(LoadErrc::truncated, fmt::format("byte {}", bytes_.size()),
                    fmt::format("the file declares {} facets and has none", declared));
    document_.facets = declared > present || declared == 0 ? present : declared;
    document_.corners = 3 * document_.facets;
    if (document_.facets == 0) return fail(LoadErrc::empty, "", "the file has no facet");
    if (document_.facets != declared || rest != document_.facets * sizeof(Facet))
        warnings_.add("stl_facet_count",
                      fmt::format("the file declares {} facets and has room for {}; {} are used", declared,
                                  present, document_.facets),
                      "byte 80");
    return check_corner_limits(document_.corners, "byte 80", limits_);
}

std::optional<std::uint32_t> BinaryReader::color_after(std::string_view word) const
{
    const std::string_view header(reinterpret_cast<const char*>(bytes_.data()), header_bytes);
    const auto at = header.find(word);
    if (at == header.npos || at + word.size() + 4 > header.size()) return std::nullopt;
    std::uint32_t color = 0;
    std::memcpy(&color, header.data() + at + word.size(), sizeof color);
    return color;
}

// The diffuse color of a material takes precedence over that of the part.
void BinaryReader::read_header()
{
    const auto color = color_after("COLOR="), diffuse = color_after("MATERIAL=");
    std::string_view text(reinterpret_cast<const char*>(bytes_.data()), header_bytes);
    text = text.substr(0, std::min(text.find('\0'), text.find("COLOR=")));
    document_.header = io::to_utf8(ascii::trimmed(text));
    if (!color) return;
    dialect_ = ColorDialect::magics;
    part_color_ = diffuse.value_or(*color);
    const auto part = [&](unsigned shift) {
        return static_cast<float>(part_color_ >> shift & 0xFFu) / 255.0f;
    };
    const float alpha = part(24) > 0.0f ? part(24) : 1.0f; // written by programs that do not know it
    document_.color = {linear_from_srgb(part(0)), linear_from_srgb(part(8)), linear_from_srgb(part(16)),
                       alpha};
}

// In Magics files without any attribute the color of the part applies, although 0 would mean black facets.
void BinaryReader::find_dialect()
{
    bool any = false, any_valid = false;
    for (std::uint64_t i = 0; i < document_.facets; ++i) {
        const std::uint16_t attribute = facet(i).attribute;
        any = any || (attribute != 0 && attribute != color_bit);
        any_valid = any_valid || (attribute & color_bit) != 0;
    }
    if (dialect_ == ColorDialect::magics)
        dialect_ = any ? ColorDialect::magics : ColorDialect::none;
    else
        dialect_ = any_valid ? ColorDialect::viscam : ColorDialect::none;
}

std::uint32_t BinaryReader::color_of(std::uint16_t attribute) const
{
    const bool is_own = ((attribute & color_bit) != 0) == (dialect_ == ColorDialect::viscam);
    if (!is_own) return part_color_ & 0xFF'FFFFu;
    return dialect_ == ColorDialect::viscam ? packed_color(attribute, 10, 0) : packed_color(attribute, 0, 10);
}

LoadResult<Document> BinaryReader::run(const std::string& stem)
{
    if (auto counted = count_facets(); !counted) return std::unexpected(counted.error());
    read_header();
    find_dialect();
    const bool has_colors = dialect_ != ColorDialect::none;
    FacetFaults faults;
    SolidBuilder solid(has_colors, faults);
    for (std::uint64_t i = 0; i < document_.facets; ++i) {
        const Facet read = facet(i);
        const std::array<glm::vec3, 3> corners = read.corners;
        solid.add(corners, read.normal, has_colors ? color_of(read.attribute) : 0,
                  [i] { return fmt::format("facet {}", i); });
    }
    if (has_colors && document_.color) // of the facets, except its alpha
        document_.color = glm::vec4(1.0f, 1.0f, 1.0f, document_.color->w);
    faults.report(warnings_);
    if (solid.empty()) return fail(LoadErrc::empty, "", "no facet has finite positions");
    document_.solids.push_back(solid.finish(stem));
    return std::move(document_);
}

} // namespace

bool has_binary_size(Bytes bytes)
{
    return bytes.size() > prefix_bytes &&
           bytes.size() - prefix_bytes == std::uint64_t{declared_facets(bytes)} * sizeof(Facet);
}

LoadResult<Document> read_binary(Bytes bytes, const std::string& stem, const Limits& limits,
                                 io::WarningLog& warnings)
{
    return BinaryReader(bytes, limits, warnings).run(stem);
}

} // namespace vitrine::stl
