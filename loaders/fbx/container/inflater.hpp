#pragma once
// A zlib stream (RFC 1950) read piece by piece, so that a large array is converted in the cache and never
// lies in memory twice. ISA-L inflates; the bytes may be hostile.

#include <cstddef>
#include <memory>
#include <span>

#include "loaders/io/input.hpp"

struct inflate_state;

namespace vitrine::fbx {

class Inflater {
public:
    // The stream, of less than 4 GB, has to outlive the reader.
    explicit Inflater(Bytes zlib);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Fills all of it. False where the stream is damaged or ends before.
    bool fill(std::span<std::byte> piece);

    // Whether the stream ends here, with the right checksum. What follows it does not count.
    bool ends();

private:
    bool inflate(std::span<std::byte> piece);

    std::unique_ptr<inflate_state> state_;
};

} // namespace vitrine::fbx
