#pragma once
// Inflates the gzip format (RFC 1952) and no other.

#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace vitrine::test {

// `max_bytes`: of the result; less than it has is a failure of the test.
inline std::string gunzip(std::string bytes, std::size_t max_bytes)
{
    std::string out(max_bytes, '\0');
    z_stream stream{};
    inflateInit2(&stream, 16 + MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(stream.avail_in, 0u);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

} // namespace vitrine::test
