#include "server/services/downloads/zip_stream.hpp"

#include <algorithm>
#include <cassert>
#include <ctime>

#include <zlib.h>

namespace vitrine::server {
namespace {

// Sizes from APPNOTE 4.3.7, 4.3.9, 4.3.12, 4.3.14 to 4.3.16, 4.5.3.
constexpr std::uint16_t zip64_version = 45, plain_version = 20;
constexpr std::uint16_t made_on_unix = 3 << 8;
constexpr std::uint16_t flags = 1 << 3 | 1 << 11; // sizes follow the bytes; the name is UTF-8
constexpr std::uint16_t stored = 0;
constexpr std::uint32_t max_32 = 0xffff'ffff;
constexpr std::uint16_t max_16 = 0xffff;
constexpr std::uint64_t large_member_bytes = 1ull << 31;
constexpr std::uint32_t file_mode = 0100644u << 16;
constexpr std::size_t directory_piece_bytes = 64 * 1024;

// Little-endian numbers.
class ZipRecord {
public:
    ZipRecord& u16(std::uint64_t value) { return number(value, 2); }
    ZipRecord& u32(std::uint64_t value) { return number(value, 4); }
    ZipRecord& u64(std::uint64_t value) { return number(value, 8); }
    ZipRecord& text(std::string_view bytes)
    {
        bytes_ += bytes;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

private:
    ZipRecord& number(std::uint64_t value, int size)
    {
        for (int i = 0; i < size; ++i)
            bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
        return *this;
    }
    std::string bytes_;
};

// UTC; the years that MS-DOS knows.
std::uint32_t dos_time(std::int64_t seconds)
{
    const std::time_t instant = seconds;
    std::tm utc{};
    gmtime_r(&instant, &utc);
    const int year = std::clamp(utc.tm_year + 1900, 1980, 2107) - 1980;
    const int date = year << 9 | (utc.tm_mon + 1) << 5 | utc.tm_mday;
    const int time = utc.tm_hour << 11 | utc.tm_min << 5 | utc.tm_sec / 2;
    return static_cast<std::uint32_t>(date) << 16 | static_cast<std::uint32_t>(time);
}

} // namespace

void ZipStream::append(std::string_view bytes, std::string& out)
{
    out += bytes;
    offset_ += bytes.size();
}

void ZipStream::begin_member(std::string_view name, std::int64_t seconds, std::uint64_t size_bytes,
                             std::string& out)
{
    assert(name.size() <= max_16);
    Member member{.name = std::string(name),
                  .offset = offset_,
                  .time = dos_time(seconds),
                  .is_large = size_bytes >= large_member_bytes};
    ZipRecord header;
    header.u32(0x04034b50).u16(member.is_large ? zip64_version : plain_version).u16(flags).u16(stored);
    header.u32(member.time).u32(0); // the checksum follows the bytes
    header.u32(member.is_large ? max_32 : 0).u32(member.is_large ? max_32 : 0);
    header.u16(name.size()).u16(member.is_large ? 20 : 0).text(name);
    if (member.is_large) header.u16(1).u16(16).u64(0).u64(0);
    append(header.bytes(), out);
    members_.push_back(std::move(member));
}

void ZipStream::add(std::span<const std::byte> bytes, std::string& out)
{
    auto& member = members_.back();
    member.checksum = static_cast<std::uint32_t>(
        crc32_z(member.checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    member.size_bytes += bytes.size();
    append({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, out);
}

void ZipStream::skip(std::uint64_t bytes, std::uint32_t checksum)
{
    auto& member = members_.back();
    member.checksum =
        static_cast<std::uint32_t>(crc32_combine64(member.checksum, checksum, static_cast<z_off64_t>(bytes)));
    member.size_bytes += bytes;
    offset_ += bytes;
}

void ZipStream::end_member(std::string& out)
{
    const auto& member = members_.back();
    ZipRecord descriptor;
    descriptor.u32(0x08074b50).u32(member.checksum);
    if (member.is_large)
        descriptor.u64(member.size_bytes).u64(member.size_bytes);
    else
        descriptor.u32(member.size_bytes).u32(member.size_bytes);
    append(descriptor.bytes(), out);
}

void ZipStream::append_entry(const Member& member, std::string& out)
{
    const bool is_far = member.offset >= max_32;
    const auto extra = std::size_t{member.is_large ? 16u : 0u} + (is_far ? 8u : 0u);
    const auto version = extra > 0 ? zip64_version : plain_version;
    ZipRecord entry;
    entry.u32(0x02014b50).u16(made_on_unix | version).u16(version).u16(flags).u16(stored);
    entry.u32(member.time).u32(member.checksum);
    const auto size = member.is_large ? max_32 : member.size_bytes;
    entry.u32(size).u32(size).u16(member.name.size()).u16(extra > 0 ? extra + 4 : 0);
    entry.u16(0).u16(0).u16(0).u32(file_mode).u32(is_far ? max_32 : member.offset).text(member.name);
    if (extra > 0) entry.u16(1).u16(extra);
    if (member.is_large) entry.u64(member.size_bytes).u64(member.size_bytes);
    if (is_far) entry.u64(member.offset);
    append(entry.bytes(), out);
}

void ZipStream::append_end(std::string& out)
{
    const auto count = members_.size();
    const auto end = offset_, size = end - directory_begin_;
    ZipRecord record;
    if (count >= max_16 || size >= max_32 || directory_begin_ >= max_32) {
        record.u32(0x06064b50).u64(44).u16(made_on_unix | zip64_version).u16(zip64_version).u32(0).u32(0);
        record.u64(count).u64(count).u64(size).u64(directory_begin_);
        record.u32(0x07064b50).u32(0).u64(end).u32(1);
    }
    const auto short_count = std::min<std::uint64_t>(count, max_16);
    record.u32(0x06054b50).u16(0).u16(0).u16(short_count).u16(short_count);
    record.u32(std::min<std::uint64_t>(size, max_32)).u32(std::min<std::uint64_t>(directory_begin_, max_32));
    append(record.u16(0).bytes(), out);
}

bool ZipStream::finish(std::string& out)
{
    if (is_finished_) return false;
    if (listed_ == 0) directory_begin_ = offset_;
    const auto before = out.size();
    while (listed_ < members_.size() && out.size() - before < directory_piece_bytes)
        append_entry(members_[listed_++], out);
    if (listed_ < members_.size()) return true;
    append_end(out);
    is_finished_ = true;
    return true;
}

} // namespace vitrine::server
