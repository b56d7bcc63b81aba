// GIF87a and GIF89a as specified by CompuServe: the first image, on a canvas of the screen size that is
// transparent where nothing is drawn. As in browsers, the background color is not used.

#include <array>
#include <optional>
#include <string>
#include <tuple>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

using GifPalette = std::array<std::array<std::uint8_t, 3>, 256>;

struct GifFrame {
    std::uint16_t left = 0, top = 0, width = 0, height = 0;
    bool interlaced = false;
    GifPalette palette{}; // black after its last color
    std::optional<std::uint8_t> transparent;
};

// Empty if the flags declare no palette.
std::optional<GifPalette> read_gif_palette(io::ByteReader& in, unsigned flags)
{
    if ((flags & 0x80) == 0) return std::nullopt;
    GifPalette palette{};
    const std::size_t count = std::size_t{2} << (flags & 7);
    for (std::size_t i = 0; i < count; ++i)
        palette[i] = in.read<GifPalette::value_type>();
    return palette;
}

// Reads sub-blocks of up to 255 bytes, terminated by an empty one, as one stream.
class SubBlocks {
public:
    explicit SubBlocks(io::ByteReader& in) : in_(in) {}

    // Returns -1 after the last byte.
    int next()
    {
        if (left_ == 0 && !at_end_) {
            left_ = in_.read<std::uint8_t>();
            at_end_ = left_ == 0;
        }
        if (at_end_) return -1;
        --left_;
        return in_.read<std::uint8_t>();
    }

private:
    io::ByteReader& in_;
    unsigned left_ = 0;
    bool at_end_ = false;
};

void skip_blocks(io::ByteReader& in)
{
    while (const auto size = in.read<std::uint8_t>())
        in.skip(size);
}

// Writes palette indices to their positions, row by row or interlaced.
class Canvas {
public:
    Canvas(const GifFrame& frame, ImageSize size, PixelBytes& pixels)
        : frame_(frame), width_(size.width), pixels_(pixels)
    {
    }
    bool is_full() const { return y_ >= frame_.height; }
    void put(std::uint8_t index)
    {
        if (is_full()) return;
        if (index != frame_.transparent) {
            const std::size_t at = (std::size_t{frame_.top} + y_) * width_ + frame_.left + x_;
            const auto& color = frame_.palette[index];
            std::uint8_t* out = pixels_.data() + 4 * at;
            out[0] = color[0];
            out[1] = color[1];
            out[2] = color[2];
            out[3] = 255;
        }
        if (++x_ == frame_.width) next_row();
    }

private:
    void next_row()
    {
        constexpr std::array<std::uint32_t, 4> first{0, 4, 2, 1}, step{8, 8, 4, 2};
        x_ = 0;
        y_ += frame_.interlaced ? step[pass_] : 1;
        while (frame_.interlaced && is_full() && pass_ < 3)
            y_ = first[++pass_];
    }

    const GifFrame& frame_;
    std::uint32_t width_;
    PixelBytes& pixels_;
    std::uint32_t x_ = 0, y_ = 0;
    std::size_t pass_ = 0;
};

// LZW with codes that grow from one bit more than an index to 12 bits.
class LzwDecoder {
public:
    LzwDecoder(unsigned index_bits, Canvas& canvas)
        : canvas_(canvas), index_bits_(index_bits), clear_(1u << index_bits)
    {
        for (unsigned i = 0; i < clear_; ++i)
            strings_[i] = {.prefix = 0,
                           .first = static_cast<std::uint8_t>(i),
                           .last = static_cast<std::uint8_t>(i),
                           .length = 1};
        reset();
    }

    // Returns false for an invalid code. Stops when the canvas is full.
    bool run(SubBlocks& blocks)
    {
        while (!canvas_.is_full()) {
            const std::optional<unsigned> code = next_code(blocks);
            if (!code || *code == clear_ + 1) return true;
            if (*code == clear_)
                reset();
            else if (!take(*code))
                return false;
        }
        return true;
    }

private:
    struct String {
        std::uint16_t prefix; // all indices except the last
        std::uint8_t first, last;
        std::uint16_t length;
    };
    static constexpr unsigned max_codes = 4096;

    void reset()
    {
        next_ = clear_ + 2;
        code_bits_ = index_bits_ + 1;
        previous_.reset();
    }

    std::optional<unsigned> next_code(SubBlocks& blocks)
    {
        while (bit_count_ < code_bits_) {
            const int byte = blocks.next();
            if (byte < 0) return std::nullopt;
            bits_ |= static_cast<unsigned>(byte) << bit_count_;
            bit_count_ += 8;
        }
        const unsigned code = bits_ & ((1u << code_bits_) - 1);
        bits_ >>= code_bits_;
        bit_count_ -= code_bits_;
        return code;
    }

    bool take(unsigned code)
    {
        const bool is_new = code == next_; // the previous string followed by its own first index
        if (code > next_ || (is_new && !previous_)) return false;
        if (previous_ && next_ < max_codes) {
            const String& before = strings_[*previous_];
            strings_[next_] = {.prefix = static_cast<std::uint16_t>(*previous_),
                               .first = before.first,
                               .last = is_new ? before.first : strings_[code].first,
                               .length = static_cast<std::uint16_t>(before.length + 1)};
            ++next_;
            if (next_ == 1u << code_bits_ && code_bits_ < 12) ++code_bits_;
        }
        put(code);
        previous_ = code;
        return true;
    }

    void put(unsigned code)
    {
        const std::size_t length = strings_[code].length;
        for (std::size_t i = length; i-- > 0; code = strings_[code].prefix)
            indices_[i] = strings_[code].last;
        for (std::size_t i = 0; i < length; ++i)
            canvas_.put(indices_[i]);
    }

    Canvas& canvas_;
    unsigned index_bits_, clear_;
    unsigned next_ = 0, code_bits_ = 0;
    std::optional<unsigned> previous_;
    unsigned bits_ = 0, bit_count_ = 0;
    std::array<String, max_codes> strings_{};
    std::array<std::uint8_t, max_codes> indices_{};
};

ImageSize read_screen(io::ByteReader& in)
{
    in.skip(6); // "GIF89a"
    const auto size = in.read<std::array<std::uint16_t, 2>>();
    return {size[0], size[1]};
}

void read_extension(io::ByteReader& in, GifFrame& frame)
{
    constexpr std::uint8_t graphic_control = 0xF9;
    if (in.read<std::uint8_t>() == graphic_control && in.remaining() > 0) {
        io::ByteReader content = in;
        if (content.read<std::uint8_t>() == 4) {
            const auto flags = content.read<std::uint8_t>();
            content.skip(2); // display time
            const auto index = content.read<std::uint8_t>();
            frame.transparent = (flags & 1) != 0 ? std::optional(index) : std::nullopt;
        }
    }
    skip_blocks(in);
}

// Reads up to the pixel data of the first image.
DecodeResult<GifFrame> read_frame(io::ByteReader& in, ImageSize screen)
{
    constexpr std::uint8_t extension = 0x21, image_separator = 0x2C;
    const auto screen_flags = in.read<std::uint8_t>();
    in.skip(2); // background color and pixel aspect ratio
    const auto global_palette = read_gif_palette(in, screen_flags);
    GifFrame frame;
    auto block = in.read<std::uint8_t>();
    for (; block == extension; block = in.read<std::uint8_t>())
        read_extension(in, frame);
    if (in.failed()) return std::unexpected("the file ends before its first image");
    if (block != image_separator) return std::unexpected("it contains no image");
    const auto place = in.read<std::array<std::uint16_t, 4>>();
    const auto flags = in.read<std::uint8_t>();
    std::tie(frame.left, frame.top, frame.width, frame.height) =
        std::tie(place[0], place[1], place[2], place[3]);
    frame.interlaced = (flags & 0x40) != 0;
    const auto local_palette = read_gif_palette(in, flags);
    if (!local_palette && !global_palette) return std::unexpected("it has no palette");
    frame.palette = local_palette ? *local_palette : *global_palette;
    if (frame.width == 0 || frame.height == 0 || unsigned{frame.left} + frame.width > screen.width ||
        unsigned{frame.top} + frame.height > screen.height)
        return std::unexpected("the first image is empty or outside the screen");
    return frame;
}

} // namespace

DecodeResult<ImageSize> gif_size(Bytes bytes)
{
    io::ByteReader in(bytes);
    const ImageSize screen = read_screen(in);
    if (in.failed() || screen.width == 0 || screen.height == 0)
        return std::unexpected("the header is invalid or has no size");
    return screen;
}

DecodeResult<PixelBytes> gif_pixels(Bytes bytes, ImageSize size)
{
    io::ByteReader in(bytes);
    read_screen(in);
    const auto frame = read_frame(in, size);
    if (!frame) return std::unexpected(frame.error());
    const auto index_bits = in.read<std::uint8_t>();
    if (index_bits < 1 || index_bits > 8)
        return std::unexpected("its indices have " + std::to_string(index_bits) + " bits");
    PixelBytes pixels(4 * pixel_count(size));
    Canvas canvas(*frame, size, pixels);
    SubBlocks blocks(in);
    if (!LzwDecoder(index_bits, canvas).run(blocks)) return std::unexpected("the pixel data is invalid");
    if (in.failed()) return std::unexpected("the pixels end early");
    return pixels;
}

} // namespace vitrine::images
