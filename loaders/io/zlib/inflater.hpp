#pragma once
// Reads a zlib stream (RFC 1950) in pieces, so that a large array is converted while in the CPU cache and is
// never in memory twice. Uses ISA-L; the input may be hostile.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "loaders/io/input.hpp"

struct inflate_state;

namespace vitrine::io {

class Inflater {
public:
    // The stream, or its first part; `next_part` returns the other parts, and an empty one after the last.
    // Parts must be smaller than 4 GB and outlive the reader. The first has at least the header of two bytes.
    explicit Inflater(Bytes zlib, std::function<Bytes()> next_part = {});
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Fills all of `piece`. Returns false when the stream is damaged or ends early.
    bool fill(std::span<std::byte> piece);

    // Returns whether the stream ends here with a correct checksum. Bytes after the stream are ignored.
    bool ends();

private:
    bool inflate(std::span<std::byte> piece);
    bool take_next_part();
    void set_input(Bytes part);

    std::unique_ptr<inflate_state> state_;
    std::function<Bytes()> next_part_;
};

} // namespace vitrine::io
