#pragma once
// The bits of the entropy-coded data of sequential JPEGs and their tables of Huffman codes, for reading codes
// without their values (ITU-T T.81, C and F.2.2). Internal to loaders/images.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {

// The bits of one interval between markers; the byte 0 after 0xFF is left out.
class JpegBits {
public:
    JpegBits(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) {}

    // At least 32 bits, with zeros after the end.
    [[gnu::always_inline]] std::uint32_t peek()
    {
        if (count_ < 32) refill();
        return static_cast<std::uint32_t>(bits_ >> 32);
    }
    void skip(unsigned count) // at most 32, after peek()
    {
        bits_ <<= count;
        count_ -= static_cast<int>(count);
    }
    bool has_failed() const { return count_ < 0; } // more skipped than there was
    // The marker that follows less than a byte of padding; empty if there is none.
    std::optional<unsigned> take_marker()
    {
        refill();
        if (count_ < 0 || count_ >= 8 || end_ - at_ < 2) return std::nullopt;
        const unsigned marker = at_[1];
        at_ += 2;
        bits_ = 0;
        count_ = 0;
        return marker;
    }

private:
    [[gnu::always_inline]] void refill()
    {
        std::uint32_t word = 0;
        if (count_ >= 0 && count_ <= 32 && end_ - at_ >= 4) {
            std::memcpy(&word, at_, sizeof word);
            const bool has_ff = ((~word - 0x0101'0101u) & word & 0x8080'8080u) != 0;
            if (!has_ff) {
                bits_ |= std::uint64_t{std::byteswap(word)} << (32 - count_);
                count_ += 32;
                at_ += 4;
                return;
            }
        }
        *this = refilled_by_bytes(*this);
    }

    // By value, so that the members of the caller's object may be in registers.
    [[gnu::noinline]] static JpegBits refilled_by_bytes(JpegBits bits)
    {
        bits.refill_by_bytes();
        return bits;
    }

    void refill_by_bytes()
    {
        while (count_ >= 0 && count_ <= 56 && at_ != end_) {
            if (*at_ == 0xFF && (end_ - at_ < 2 || at_[1] != 0)) return; // a marker
            bits_ |= std::uint64_t{*at_} << (56 - count_);
            at_ += *at_ == 0xFF ? 2 : 1;
            count_ += 8;
        }
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint64_t bits_ = 0; // the next one is the highest
    int count_ = 0;
};

inline constexpr unsigned jpeg_block_coefficients = 64;

// What follows from a code: bits of code and value, at most 31, and how many coefficients they pass.
struct JpegStep {
    std::uint8_t bits = 0; // 0: no code
    std::uint8_t coefficients = 0;
};

class JpegHuffmanTable {
public:
    // Of JpegStep::coefficients: the block ends.
    static constexpr unsigned ends_block = jpeg_block_coefficients;

    bool exists() const { return exists_; }

    // Reads one table of a DHT segment after its class and number. Returns false if it is invalid.
    bool read(io::ByteReader& in, bool is_dc);

    // The step of the code at the highest bits. The end of a block has `ends_block` coefficients.
    JpegStep step(std::uint32_t bits) const
    {
        const JpegStep found = steps_[bits >> (32 - lookup_bits)];
        return found.bits != 0 ? found : long_step(bits);
    }

    // Of AC: several steps that follow each other, as one. If the last ends the block, the coefficients are
    // those before it and `ends_block`. Without bits, and with 63 coefficients: none are known.
    JpegStep several_steps(std::uint32_t bits) const { return several_[bits >> (32 - lookup_bits)]; }

private:
    static constexpr unsigned max_code_bits = 16;
    static constexpr unsigned lookup_bits = 10; // nearly all codes are shorter

    bool assign_codes(Bytes lengths);
    void combine_steps();
    JpegStep step_of(std::uint8_t symbol, unsigned length) const;
    JpegStep long_step(std::uint32_t bits) const;

    bool exists_ = false, is_dc_ = false;
    std::array<JpegStep, std::size_t{1} << lookup_bits> steps_{}, several_{};
    std::array<std::uint8_t, 256> symbols_{};
    std::array<std::uint32_t, max_code_bits + 1> first_code_{}, count_{}; // by length
    std::array<std::size_t, max_code_bits + 1> first_index_{};
};

} // namespace vitrine::images
