#pragma once
// Builds zip archives for tests, including invalid ones: any name, duplicates, links, bombs, encrypted flags,
// false sizes. Header-only; link ZLIB::ZLIB.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace vitrine::test {

class ZipBuilder {
public:
    struct Options {
        bool deflated = false;
        std::uint16_t flags = 0x0800;      // names are UTF-8; bit 0: encrypted
        std::uint32_t unix_mode = 0100644; // 0120777: symbolic link, 0040755: folder
        bool false_size = false;           // the headers say 10 bytes
        bool break_checksum = false;
    };

    ZipBuilder& add(std::string_view name, std::string_view bytes) { return add(name, bytes, Options()); }
    ZipBuilder& add(std::string_view name, std::string_view bytes, const Options& options)
    {
        const std::string packed = options.deflated ? deflated(bytes) : std::string(bytes);
        std::string header;
        put16(header, options.flags);
        put16(header, options.deflated ? 8 : 0);
        put32(header, 0x5a210000); // time and date
        put32(header, checksum(bytes) ^ (options.break_checksum ? 1u : 0u));
        put32(header, static_cast<std::uint32_t>(packed.size()));
        put32(header, options.false_size ? 10 : static_cast<std::uint32_t>(bytes.size()));
        put16(header, static_cast<std::uint16_t>(name.size()));
        put16(header, 0); // extra field

        put32(directory_, 0x02014b50);
        put16(directory_, 0x0314); // made by: Unix, 2.0
        put16(directory_, 20);
        directory_ += header;
        put16(directory_, 0); // comment
        put32(directory_, 0); // disk, internal attributes
        put32(directory_, options.unix_mode << 16);
        put32(directory_, static_cast<std::uint32_t>(members_.size()));
        directory_ += name;

        put32(members_, 0x04034b50);
        put16(members_, 20);
        members_ += header;
        members_ += name;
        members_ += packed;
        ++count_;
        return *this;
    }

    std::string bytes() const
    {
        std::string out = members_ + directory_;
        put32(out, 0x06054b50);
        put32(out, 0); // disks
        put16(out, count_);
        put16(out, count_);
        put32(out, static_cast<std::uint32_t>(directory_.size()));
        put32(out, static_cast<std::uint32_t>(members_.size()));
        put16(out, 0);
        return out;
    }

private:
    static void put16(std::string& out, std::uint16_t value)
    {
        out += static_cast<char>(value & 0xff);
        out += static_cast<char>(value >> 8);
    }
    static void put32(std::string& out, std::uint32_t value)
    {
        put16(out, static_cast<std::uint16_t>(value & 0xffff));
        put16(out, static_cast<std::uint16_t>(value >> 16));
    }
    static std::uint32_t checksum(std::string_view bytes)
    {
        return static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
    }
    static std::string deflated(std::string_view bytes)
    {
        z_stream stream{};
        deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
        std::string out(deflateBound(&stream, bytes.size()), '\0');
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream.avail_in = static_cast<uInt>(bytes.size());
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        deflate(&stream, Z_FINISH);
        out.resize(stream.total_out);
        deflateEnd(&stream);
        return out;
    }

    std::string members_;
    std::string directory_;
    std::uint16_t count_ = 0;
};

} // namespace vitrine::test
