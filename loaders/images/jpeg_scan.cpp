// Reads the Huffman codes of a scan and skips the bits of the values: the codes alone show whether the data
// is valid. ITU-T T.81: B (markers and tables), C (codes), F.2 (sequential decoding).

#include "loaders/images/jpeg_scan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "loaders/images/jpeg_huffman.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

constexpr unsigned max_mcu_blocks = 10;   // B.2.3
constexpr std::uint32_t max_side = 65500; // of libjpeg

enum JpegMarker : unsigned {
    sof0 = 0xC0,
    sof1 = 0xC1,
    dht = 0xC4,
    rst0 = 0xD0,
    soi = 0xD8,
    eoi = 0xD9,
    sos = 0xDA,
    dqt = 0xDB,
    dri = 0xDD,
    app0 = 0xE0,
    app15 = 0xEF,
    com = 0xFE
};

struct JpegComponent {
    unsigned id = 0, across = 1, down = 1; // blocks of an MCU
    unsigned quantization = 0, dc = 0, ac = 0;
};

class JpegScanCheck {
public:
    explicit JpegScanCheck(Bytes jpeg) : in_(jpeg) {}

    bool run()
    {
        if (read_marker() != soi) return false;
        for (;;) {
            const unsigned marker = read_marker();
            const unsigned length = marker == 0 ? 0 : read_16(in_);
            const Bytes body = in_.read_bytes(length < 2 ? 0 : length - 2);
            if (in_.failed() || length < 2) return false;
            io::ByteReader segment(body);
            if (marker == sos)
                return read_scan_header(segment) && check_data(in_.read_bytes(in_.remaining()));
            if (!read_segment(marker, segment)) return false;
        }
    }

private:
    static unsigned read_8(io::ByteReader& in) { return in.read<std::uint8_t>(); }
    static unsigned read_16(io::ByteReader& in) { return std::byteswap(in.read<std::uint16_t>()); }
    // 0: none here.
    unsigned read_marker() { return read_8(in_) == 0xFF ? read_8(in_) : 0; }

    bool read_segment(unsigned marker, io::ByteReader& in)
    {
        switch (marker) {
        case sof0:
        case sof1: return read_frame(in);
        case dht: return read_huffman(in);
        case dqt: return read_quantization(in);
        case dri: restart_interval_ = read_16(in); return !in.failed() && in.remaining() == 0;
        case com: return true;
        default: return marker >= app0 && marker <= app15;
        }
    }

    bool read_frame(io::ByteReader& in)
    {
        if (count_ != 0 || read_8(in) != 8) return false;
        height_ = read_16(in);
        width_ = read_16(in);
        count_ = read_8(in);
        if (width_ == 0 || height_ == 0 || std::max(width_, height_) > max_side) return false;
        if (count_ != 1 && count_ != 3) return false;
        for (std::size_t c = 0; c < count_; ++c) {
            const unsigned id = read_8(in), sampling = read_8(in);
            components_[c] = {
                .id = id, .across = sampling >> 4u, .down = sampling & 15u, .quantization = read_8(in)};
            for (std::size_t before = 0; before < c; ++before)
                if (components_[before].id == id) return false;
        }
        return !in.failed() && in.remaining() == 0 && has_whole_sampling();
    }

    // libjpeg enlarges components by whole factors only.
    bool has_whole_sampling()
    {
        for (const JpegComponent& one : components()) {
            if (one.across == 0 || one.across > 4 || one.down == 0 || one.down > 4) return false;
            if (one.quantization > 3) return false;
            max_across_ = std::max(max_across_, one.across);
            max_down_ = std::max(max_down_, one.down);
        }
        return std::ranges::all_of(components(), [&](const JpegComponent& one) {
            return max_across_ % one.across == 0 && max_down_ % one.down == 0;
        });
    }

    bool read_huffman(io::ByteReader& in)
    {
        while (in.remaining() != 0) {
            const unsigned place = read_8(in);
            if ((place >> 4u) > 1 || (place & 15u) > 3) return false;
            auto& tables = place >> 4u == 0 ? dc_ : ac_;
            if (!tables[place & 15u].read(in, place >> 4u == 0)) return false;
        }
        return true;
    }

    bool read_quantization(io::ByteReader& in)
    {
        while (in.remaining() != 0) {
            const unsigned place = read_8(in);
            if ((place >> 4u) > 1 || (place & 15u) > 3) return false;
            if (in.read_bytes(jpeg_block_coefficients << (place >> 4u)).empty()) return false;
            quantization_[place & 15u] = true;
        }
        return true;
    }

    bool read_scan_header(io::ByteReader& in)
    {
        if (count_ == 0 || read_8(in) != count_) return false;
        for (JpegComponent& one : components()) {
            if (read_8(in) != one.id) return false;
            const unsigned tables = read_8(in);
            one.dc = tables >> 4u;
            one.ac = tables & 15u;
            if (one.dc > 3 || one.ac > 3 || !dc_[one.dc].exists() || !ac_[one.ac].exists() ||
                !quantization_[one.quantization])
                return false;
        }
        const unsigned first = read_8(in), last = read_8(in), approximation = read_8(in);
        const bool is_sequential = first == 0 && last == jpeg_block_coefficients - 1 && approximation == 0;
        return is_sequential && !in.failed() && in.remaining() == 0;
    }

    // A scan of one component has MCUs of one block (A.2.2).
    bool check_data(Bytes data)
    {
        if (count_ == 1) {
            components_[0].across = components_[0].down = 1;
            max_across_ = max_down_ = 1;
        }
        unsigned blocks = 0;
        for (const JpegComponent& one : components())
            blocks += one.across * one.down;
        if (blocks > max_mcu_blocks) return false;
        const std::uint64_t across = (width_ + 8 * max_across_ - 1) / (8 * max_across_);
        const std::uint64_t down = (height_ + 8 * max_down_ - 1) / (8 * max_down_);
        const auto* const first = reinterpret_cast<const std::uint8_t*>(data.data());
        JpegBits bits(first, first + data.size());
        for (std::uint64_t mcu = 0, restarts = 0; mcu < across * down; ++mcu) {
            if (restart_interval_ != 0 && mcu != 0 && mcu % restart_interval_ == 0 &&
                bits.take_marker() != rst0 + restarts++ % 8)
                return false;
            if (!check_mcu(bits)) return false;
        }
        return bits.take_marker() == eoi;
    }

    bool check_mcu(JpegBits& all_bits) const
    {
        JpegBits bits = all_bits; // in registers
        for (const JpegComponent& one : components())
            for (unsigned b = 0; b < one.across * one.down; ++b)
                if (!check_block(bits, dc_[one.dc], ac_[one.ac])) return false;
        all_bits = bits;
        return !bits.has_failed();
    }

    [[gnu::always_inline]] static bool check_block(JpegBits& bits, const JpegHuffmanTable& dc,
                                                   const JpegHuffmanTable& ac)
    {
        const JpegStep first = dc.step(bits.peek());
        if (first.bits == 0) return false;
        bits.skip(first.bits);
        unsigned coefficient = 1;
        while (coefficient < jpeg_block_coefficients) {
            const std::uint32_t next = bits.peek();
            const JpegStep several = ac.several_steps(next);
            const unsigned after = coefficient + several.coefficients % JpegHuffmanTable::ends_block;
            if (after < jpeg_block_coefficients) { // otherwise the block may end within them
                bits.skip(several.bits);
                if (several.coefficients >= JpegHuffmanTable::ends_block) return true;
                coefficient = after;
                continue;
            }
            const JpegStep step = ac.step(next);
            if (step.bits == 0) return false;
            bits.skip(step.bits);
            if (step.coefficients == jpeg_block_coefficients) return true;
            coefficient += step.coefficients;
        }
        return coefficient == jpeg_block_coefficients;
    }

    std::span<JpegComponent> components() { return std::span(components_).first(count_); }
    std::span<const JpegComponent> components() const { return std::span(components_).first(count_); }

    io::ByteReader in_;
    std::uint32_t width_ = 0, height_ = 0;
    std::size_t count_ = 0; // of components; 0 before the frame header
    std::array<JpegComponent, 3> components_{};
    unsigned max_across_ = 1, max_down_ = 1;
    unsigned restart_interval_ = 0; // MCUs; 0: none
    std::array<JpegHuffmanTable, 4> dc_, ac_;
    std::array<bool, 4> quantization_{};
};

} // namespace

bool has_valid_jpeg_scan(Bytes jpeg)
{
    return JpegScanCheck(jpeg).run();
}

} // namespace vitrine::images
