#pragma once
// Writes a zip archive member by member to a stream that cannot be rewound: bytes are stored as they are,
// sizes and checksums follow them (APPNOTE 6.3.10, bit 3 of the flags), names are UTF-8 (bit 11). Members,
// their number and the archive may exceed the limits of 32 and 16 bits (zip64). One thread at a time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

class ZipStream {
public:
    // Each appends to `out` what follows in the archive. `name`: relative, '/' separated. `seconds`: since
    // 1970-01-01T00:00:00Z. `size_bytes`: of the member; those of 2 GiB and more are written so that the size
    // may have 64 bits. Precondition: no member is open.
    void begin_member(std::string_view name, std::int64_t seconds, std::uint64_t size_bytes,
                      std::string& out);
    void add(std::span<const std::byte> bytes, std::string& out);
    // Precondition: add() has had as many bytes as begin_member() has announced.
    void end_member(std::string& out);
    // The directory of the members, which ends the archive. In pieces: call it until it returns false.
    bool finish(std::string& out);

    // Counts the bytes of the open member as add() does, without copying them: for archives that are too
    // large for memory. `checksum`: CRC-32 of the bytes.
    void skip(std::uint64_t bytes, std::uint32_t checksum);

private:
    struct Member {
        std::string name;
        std::uint64_t offset = 0, size_bytes = 0;
        std::uint32_t checksum = 0; // CRC-32
        std::uint32_t time = 0;     // date and time of MS-DOS
        bool is_large = false;      // its sizes have 64 bits
    };

public:
    static constexpr std::size_t member_bytes = sizeof(Member); // kept for each, besides its name

private:
    void append(std::string_view bytes, std::string& out);
    void append_entry(const Member& member, std::string& out);
    void append_end(std::string& out);

    std::vector<Member> members_;
    std::uint64_t offset_ = 0;          // bytes of the archive so far
    std::uint64_t directory_begin_ = 0; // once finish() was called
    std::size_t listed_ = 0;            // members that the directory has
    bool is_finished_ = false;
};

} // namespace vitrine::server
