#pragma once
// zlib streams of a known size. Where the processor has AVX2 by a decoder of our own: arrays of whole numbers
// are mostly copies of what stands 12 or 24 bytes before, which libdeflate copies in words that wait for each
// other. Elsewhere by libdeflate, with the same answers.

#include <functional>
#include <span>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Exactly as many bytes as `into` has. False where the stream is damaged or holds more or fewer.
bool inflate_zlib(Bytes from, std::span<std::byte> into);

// The same in pieces, one after the other, each in the processor's cache and a multiple of 64 bytes but for
// the last: for numbers that are converted at once. A damaged stream may have given some.
using TakePiece = std::function<void(Bytes piece)>;
bool inflate_zlib(Bytes from, std::size_t size, const TakePiece& take);

} // namespace vitrine::io
