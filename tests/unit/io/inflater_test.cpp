#include "loaders/io/zlib/inflater.hpp"

#include <optional>
#include <random>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/zlib.hpp"

namespace vitrine::io {
namespace {

// Half noise, half repetition, so that blocks of every type occur.
std::string plain_of(std::size_t size)
{
    std::mt19937 random(7);
    std::string plain;
    while (plain.size() < size)
        plain += plain.size() % 64 < 32 ? std::string(1, static_cast<char>(random())) : std::string(32, 'v');
    plain.resize(size);
    return plain;
}

// Memory before an inaccessible page: the sanitizers do not check accesses by assembly code.
class GuardedMemory {
public:
    explicit GuardedMemory(std::size_t size) : size_(size)
    {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t before = (size + page - 1) / page * page;
        mapped_ = before + page;
        begin_ = static_cast<std::byte*>(
            mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (begin_ == MAP_FAILED || mprotect(begin_ + before, page, PROT_NONE) != 0) throw std::bad_alloc();
        bytes_ = begin_ + before - size;
    }
    ~GuardedMemory() { munmap(begin_, mapped_); }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    std::span<std::byte> bytes() { return {bytes_, size_}; }

private:
    std::byte* begin_ = nullptr;
    std::byte* bytes_ = nullptr;
    std::size_t size_ = 0, mapped_ = 0;
};

// Inflates a stream of `size` bytes in pieces; nullopt on failure.
std::optional<std::string> inflate(const std::string& zlib, std::size_t size, std::size_t piece)
{
    GuardedMemory input(zlib.size()), room(std::min(piece, size));
    std::ranges::copy(std::as_bytes(std::span(zlib)), input.bytes().begin());
    Inflater stream{Bytes(input.bytes())};
    std::string out;
    while (out.size() < size) {
        // At the end of the memory, so that the guard page follows each piece.
        const auto part = room.bytes().last(std::min(room.bytes().size(), size - out.size()));
        if (!stream.fill(part)) return std::nullopt;
        out.append(reinterpret_cast<const char*>(part.data()), part.size());
    }
    if (!stream.ends()) return std::nullopt;
    return out;
}

constexpr std::array<std::size_t, 6> sizes{0, 1, 10, 32768, 32769, 200'000};

TEST(Inflater, ReadsEveryLevelInEveryPiece)
{
    for (const std::size_t size : sizes) {
        const std::string plain = plain_of(size);
        for (const int level : {0, 1, 6, 12})
            for (const std::size_t piece :
                 {std::size_t{7}, std::size_t{4096}, std::size_t{32768}, std::size_t{1} << 20})
                EXPECT_TRUE(inflate(test::deflate(plain, level), size, piece) == plain)
                    << size << " bytes at level " << level << " in pieces of " << piece;
    }
}

TEST(Inflater, RejectsAnotherLength)
{
    for (const std::size_t size : sizes) {
        const std::string zlib = test::deflate(plain_of(size));
        EXPECT_FALSE(inflate(zlib, size + 1, 32768)) << size;
        if (size > 0) EXPECT_FALSE(inflate(zlib, size - 1, 32768)) << size;
    }
}

TEST(Inflater, RejectsEveryTruncationAndAWrongChecksum)
{
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{3000}}) {
        const std::string zlib = test::deflate(plain_of(size));
        for (std::size_t length = 0; length < zlib.size(); ++length)
            EXPECT_FALSE(inflate(zlib.substr(0, length), size, 256)) << size << " cut at " << length;
        for (std::size_t i = zlib.size() - 4; i < zlib.size(); ++i) {
            std::string wrong = zlib;
            wrong[i] = static_cast<char>(wrong[i] ^ 0x10);
            EXPECT_FALSE(inflate(wrong, size, 256)) << size;
        }
        EXPECT_TRUE(inflate(zlib + "more", size, 256)) << "what follows does not count";
    }
}

// Terminates within its memory for any bytes, with the right bytes or an error.
TEST(Inflater, SurvivesFlippedBits)
{
    const std::string plain = plain_of(3000), zlib = test::deflate(plain);
    for (std::size_t bit = 0; bit < 8 * zlib.size(); ++bit) {
        std::string wrong = zlib;
        wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ 1 << bit % 8);
        const auto read = inflate(wrong, plain.size(), 512);
        EXPECT_TRUE(!read || *read == plain) << "bit " << bit;
    }
}

TEST(Inflater, ReadsTheHeader)
{
    const std::string body = test::deflate("vitrine").substr(2);
    const auto reads = [&](unsigned method, unsigned flags) {
        flags += (31 - (method * 256 + flags) % 31) % 31;
        return inflate(std::string{static_cast<char>(method), static_cast<char>(flags)} + body, 7, 7)
            .has_value();
    };
    EXPECT_TRUE(reads(0x78, 0x00));
    EXPECT_TRUE(reads(0x78, 0xc0)) << "a level";
    EXPECT_TRUE(reads(0x08, 0x00)) << "a window of 256 bytes";
    EXPECT_FALSE(reads(0x77, 0x00)) << "another method";
    EXPECT_FALSE(reads(0x78, 0x20)) << "a dictionary";
    EXPECT_FALSE(inflate("\x78\x02" + body, 7, 7)) << "a wrong check";
}

#ifdef __x86_64__
// Whether the upper halves of the vector registers are in use: bit 2 of XINUSE (XGETBV with ecx = 1).
[[gnu::target("xsave")]] bool uses_upper_halves()
{
    return (__builtin_ia32_xgetbv(1) & 4) != 0;
}

[[gnu::target("avx")]] void use_no_upper_halves()
{
    __builtin_ia32_vzeroupper();
}

TEST(Inflater, ClearsTheUpperHalvesOfVectorRegisters)
{
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no AVX2";
    use_no_upper_halves();
    if (uses_upper_halves()) GTEST_SKIP() << "this processor does not report it";
    const std::string text(1 << 20, 'a');
    const auto zlib = test::deflate(text);
    Inflater inflater(std::as_bytes(std::span(zlib)));
    std::vector<std::byte> out(text.size());
    ASSERT_TRUE(inflater.fill(out));
    EXPECT_FALSE(uses_upper_halves());
}
#endif

} // namespace
} // namespace vitrine::io
