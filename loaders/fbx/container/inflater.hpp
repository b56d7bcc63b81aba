#pragma once
// Reads a zlib stream (RFC 1950) in pieces, so that a large array is converted while in the CPU cache and is
// never in memory twice. Uses ISA-L; the input may be hostile.

#include <cstddef>
#include <memory>
#include <span>

#include "loaders/io/input.hpp"

struct inflate_state;

namespace vitrine::fbx {

class Inflater {
public:
    // The stream must be smaller than 4 GB and must outlive the reader.
    explicit Inflater(Bytes zlib);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Fills all of `piece`. Returns false when the stream is damaged or ends early.
    bool fill(std::span<std::byte> piece);

    // Returns whether the stream ends here with a correct checksum. Bytes after the stream are ignored.
    bool ends();

private:
    bool inflate(std::span<std::byte> piece);

    std::unique_ptr<inflate_state> state_;
};

} // namespace vitrine::fbx
