#pragma once
// Deflates like exporters do.

#include <string>

#include <libdeflate.h>

namespace vitrine::test {

inline std::string deflate(const std::string& plain, int level = 6)
{
    auto* compressor = libdeflate_alloc_compressor(level);
    std::string out(libdeflate_zlib_compress_bound(compressor, plain.size()), '\0');
    out.resize(libdeflate_zlib_compress(compressor, plain.data(), plain.size(), out.data(), out.size()));
    libdeflate_free_compressor(compressor);
    return out;
}

} // namespace vitrine::test
