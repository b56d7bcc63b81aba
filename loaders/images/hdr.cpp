// Radiance images (RGBE and XYZE), as described in Ward, "Real Pixels" (Graphics Gems II), and the Radiance
// reference. Radiance is converted to 8 bits: gamma 2.2, values above 1 become white.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "loaders/images/codecs.hpp"

namespace vitrine::images {
namespace {

using Rgbe = std::array<std::uint8_t, 4>;

struct HdrHeader {
    ImageSize size;
    bool bottom_up = false;
    bool right_to_left = false;
    bool by_columns = false; // scan lines are columns
    bool is_xyz = false;
    std::size_t pixels_at = 0;
};

// Returns the next line without its line end; empty at the end of the text too.
std::string_view take_line(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// Parses "-Y 512": sign and number of an axis; 0 if it is another axis or not a number.
std::uint32_t take_axis(std::string_view& line, char axis, bool& negative)
{
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.size() < 3 || line[1] != axis) return 0;
    negative = line[0] == '-';
    line.remove_prefix(2);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return error == std::errc() ? value : 0;
}

DecodeResult<HdrHeader> read_hdr_header(Bytes bytes)
{
    constexpr std::size_t max_header_bytes = 64 * 1024;
    const std::string_view file_text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string_view text = file_text.substr(0, max_header_bytes);
    const std::size_t had = text.size();
    HdrHeader header;
    for (std::string_view line = take_line(text); !line.empty(); line = take_line(text)) {
        if (!line.starts_with("FORMAT=")) continue;
        header.is_xyz = line == "FORMAT=32-bit_rle_xyze";
        if (!header.is_xyz && line != "FORMAT=32-bit_rle_rgbe")
            return std::unexpected("its colors are neither RGBE nor XYZE");
    }
    std::string_view line = take_line(text);
    bool down = false;
    bool left = false;
    header.size.height = take_axis(line, 'Y', down);
    header.size.width = take_axis(line, 'X', left);
    header.by_columns = header.size.height == 0;
    if (header.by_columns) header.size.height = take_axis(line, 'Y', down);
    if (header.size.width == 0 || header.size.height == 0)
        return std::unexpected("there is no line \"-Y height +X width\"");
    header.bottom_up = !down;
    header.right_to_left = left;
    header.pixels_at = had - text.size();
    return header;
}

// Reads single bytes; after the end failed() is true and reads return zeros.
class ByteStream {
public:
    explicit ByteStream(Bytes bytes) : bytes_(bytes) {}
    bool failed() const { return failed_; }
    std::uint8_t next()
    {
        if (at_ < bytes_.size()) return std::to_integer<std::uint8_t>(bytes_[at_++]);
        failed_ = true;
        return 0;
    }
    Rgbe next_pixel() { return {next(), next(), next(), next()}; }

private:
    Bytes bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

// Reads each component separately: runs (count above 128) and literal bytes.
bool read_components(ByteStream& in, std::vector<Rgbe>& line)
{
    for (std::size_t component = 0; component < 4; ++component) {
        for (std::size_t x = 0; x < line.size();) {
            const unsigned code = in.next();
            const bool run = code > 128;
            const std::size_t count = run ? code - 128 : code;
            if (in.failed() || count == 0 || count > line.size() - x) return false;
            const std::uint8_t value = run ? in.next() : std::uint8_t{0};
            for (const std::size_t end = x + count; x < end; ++x)
                line[x][component] = run ? value : in.next();
        }
    }
    return !in.failed();
}

// Plain pixels, where (1, 1, 1, n) repeats the last pixel n times; consecutive repeats shift n by 8 bits
// each.
bool scan_numbers(ByteStream& in, std::vector<Rgbe>& line, const Rgbe& first)
{
    line[0] = first;
    unsigned shift = 0;
    for (std::size_t x = 1; x < line.size() && !in.failed();) {
        const Rgbe pixel = in.next_pixel();
        if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
            line[x++] = pixel;
            shift = 0;
            continue;
        }
        const std::size_t count = std::size_t{pixel[3]} << shift;
        if (count > line.size() - x) return false;
        std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(x), count, line[x - 1]);
        x += count;
        shift = std::min(shift + 8, 24u);
    }
    return !in.failed();
}

bool read_line(ByteStream& in, std::vector<Rgbe>& line)
{
    const Rgbe first = in.next_pixel();
    const bool by_component = first[0] == 2 && first[1] == 2 && first[2] < 128 &&
                              (std::size_t{first[2]} << 8 | first[3]) == line.size();
    return by_component ? read_components(in, line) : scan_numbers(in, line, first);
}

std::uint8_t byte_from_radiance(float light)
{
    const float encoded = std::pow(std::max(light, 0.0f), 1.0f / 2.2f) * 255.0f + 0.5f;
    return static_cast<std::uint8_t>(std::min(encoded, 255.0f));
}

void put(std::uint8_t* out, const Rgbe& pixel, bool is_xyz)
{
    const float unit = pixel[3] == 0 ? 0.0f : std::ldexp(1.0f, pixel[3] - (128 + 8));
    std::array<float, 3> light{};
    constexpr float max_radiance = 1e6f; // is displayed as white, and sums stay finite
    for (std::size_t i = 0; i < 3; ++i)
        light[i] = std::min(static_cast<float>(pixel[i]) * unit, max_radiance);
    if (is_xyz) { // Radiance's own primaries; their white point is X = Y = Z
        const auto [x, y, z] = light;
        light = {2.565f * x - 1.167f * y - 0.398f * z, -1.022f * x + 1.978f * y + 0.044f * z,
                 0.075f * x - 0.252f * y + 1.177f * z};
    }
    std::ranges::transform(light, out, byte_from_radiance);
    out[3] = 255;
}

} // namespace

DecodeResult<ImageSize> hdr_size(Bytes bytes)
{
    return size_of(read_hdr_header(bytes));
}

DecodeResult<PixelBytes> hdr_pixels(Bytes bytes, ImageSize size)
{
    const auto header = read_hdr_header(bytes);
    if (!header) return std::unexpected(header.error());
    const std::uint32_t lines = header->by_columns ? size.width : size.height;
    if ((bytes.size() - header->pixels_at) / sizeof(Rgbe) < lines)
        return std::unexpected("the pixels end early");
    ByteStream in(bytes.subspan(header->pixels_at));
    PixelBytes pixels(4 * pixel_count(size));
    std::vector<Rgbe> line(header->by_columns ? size.height : size.width);
    for (std::uint32_t n = 0; n < lines; ++n) {
        if (!read_line(in, line))
            return std::unexpected("line " + std::to_string(n) + " is invalid or truncated");
        for (std::uint32_t i = 0; i < line.size(); ++i) {
            const std::uint32_t column = header->by_columns ? n : i, row = header->by_columns ? i : n;
            const std::uint32_t x = header->right_to_left ? size.width - 1 - column : column;
            const std::uint32_t y = header->bottom_up ? size.height - 1 - row : row;
            put(pixels.data() + 4 * (std::size_t{y} * size.width + x), line[i], header->is_xyz);
        }
    }
    return pixels;
}

} // namespace vitrine::images
