#include "loaders/io/string_hash.hpp"

#include <array>
#include <bit>
#include <cstring>

#include <sys/auxv.h>

namespace vitrine::io {
namespace {

using HashKey = std::array<std::uint64_t, 2>;

// 16 random bytes that the kernel passes to every program (AT_RANDOM). If it does not, the program's load
// address is used instead.
const HashKey& process_key()
{
    static const HashKey key = [] {
        HashKey drawn{};
        if (const auto* random = std::bit_cast<const std::byte*>(::getauxval(AT_RANDOM)))
            std::memcpy(drawn.data(), random, sizeof drawn);
        else
            drawn[0] = reinterpret_cast<std::uintptr_t>(&process_key);
        return drawn;
    }();
    return key;
}

struct Sip {
    std::uint64_t a, b, c, d;

    void round()
    {
        a += b;
        c += d;
        b = std::rotl(b, 13) ^ a;
        d = std::rotl(d, 16) ^ c;
        a = std::rotl(a, 32) + d;
        c += b;
        d = std::rotl(d, 21) ^ a;
        b = std::rotl(b, 17) ^ c;
        c = std::rotl(c, 32);
    }
    void add(std::uint64_t word)
    {
        d ^= word;
        round();
        a ^= word;
    }
};

} // namespace

std::uint64_t sip_hash(std::string_view text, std::uint64_t key0, std::uint64_t key1)
{
    Sip sip{key0 ^ 0x736f'6d65'7073'6575, key1 ^ 0x646f'7261'6e64'6f6d, key0 ^ 0x6c79'6765'6e65'7261,
            key1 ^ 0x7465'6462'7974'6573};
    std::uint64_t last = std::uint64_t{text.size()} << 56;
    for (; text.size() >= 8; text.remove_prefix(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), 8);
        sip.add(word);
    }
    for (std::size_t i = 0; i < text.size(); ++i)
        last |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    sip.add(last);
    sip.c ^= 0xff;
    for (int i = 0; i < 3; ++i)
        sip.round();
    return sip.a ^ sip.b ^ sip.c ^ sip.d;
}

std::uint64_t hash_seed()
{
    static const std::uint64_t seed = sip_hash("numbers", process_key()[0], process_key()[1]);
    return seed;
}

std::size_t StringHash::operator()(std::string_view text) const
{
    const HashKey& key = process_key();
    return sip_hash(text, key[0], key[1]);
}

} // namespace vitrine::io
