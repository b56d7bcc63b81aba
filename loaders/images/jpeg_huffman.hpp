#pragma once
// Tables of Huffman codes of sequential JPEGs (ITU-T T.81, C and F.2.2), for reading codes without their
// values. Internal to loaders/images.

#include <array>
#include <cstdint>

#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {

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
