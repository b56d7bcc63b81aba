#include "loaders/io/inflate.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include <libdeflate.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include "loaders/io/prefix_code.hpp"
#endif

namespace vitrine::io {
namespace {

bool inflate_whole(Bytes from, std::span<std::byte> into)
{
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
        libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    if (!decompressor) throw std::bad_alloc();
    return libdeflate_zlib_decompress(decompressor.get(), from.data(), from.size(), into.data(), into.size(),
                                      nullptr) == LIBDEFLATE_SUCCESS;
}

#if defined(__x86_64__)

#define VITRINE_INFLATE __attribute__((target("avx2,bmi,bmi2")))
const bool usable =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");

constexpr std::ptrdiff_t window = 32'768; // how far back a copy may reach
constexpr std::ptrdiff_t longest_match = 258;
constexpr std::ptrdiff_t overshoot = 64;                        // a copy may write so far behind its end
constexpr std::ptrdiff_t reach = longest_match + 6 + overshoot; // one turn of the fast loop
constexpr std::size_t piece_room = 192 * 1024; // in the second cache, with what it is converted to
constexpr std::size_t end_of_block = 256;
constexpr unsigned number_bits = 10;
constexpr unsigned longest_distance = 28; // bits, with the extra ones

// RFC 1951, 3.2.5: the least of each range and its extra bits.
constexpr auto number_meanings = [] {
    std::array<CodeEntry, 288> out{};
    for (std::uint32_t i = 0; i < end_of_block; ++i)
        out[i] = CodeEntry(CodeEntry::literal, i, 0);
    out[end_of_block] = CodeEntry(CodeEntry::end, 0, 0);
    std::uint32_t least = 3;
    for (std::uint32_t i = 0; i < 28; ++i) {
        const std::uint32_t extra = i < 8 ? 0 : i / 4 - 1;
        out[end_of_block + 1 + i] = CodeEntry(CodeEntry::number, least, extra);
        least += 1u << extra;
    }
    out[285] = CodeEntry(CodeEntry::number, longest_match, 0);
    return out; // 286 and 287 are bad
}();
constexpr auto distance_meanings = [] {
    std::array<CodeEntry, 32> out{};
    std::uint32_t least = 1;
    for (std::uint32_t i = 0; i < 30; ++i) {
        const std::uint32_t extra = i < 4 ? 0 : i / 2 - 1;
        out[i] = CodeEntry(CodeEntry::number, least, extra);
        least += 1u << extra;
    }
    return out; // 30 and 31 are bad
}();
constexpr auto length_meanings = [] {
    std::array<CodeEntry, 19> out{};
    for (std::uint32_t i = 0; i < out.size(); ++i)
        out[i] = CodeEntry(CodeEntry::number, i, 0);
    return out;
}();

// Byte i of a pattern that repeats after `period` bytes.
constexpr auto repeats = [] {
    std::array<std::array<std::int8_t, 16>, 16> out{};
    for (std::size_t period = 1; period < out.size(); ++period)
        for (std::size_t i = 0; i < 16; ++i)
            out[period][i] = static_cast<std::int8_t>(i % period);
    return out;
}();

std::uint64_t load_word(const std::byte* at)
{
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

inline void copy_word(std::byte* to, const std::byte* from)
{
    const std::uint64_t word = load_word(from);
    std::memcpy(to, &word, sizeof word);
}

// From `distance` before; up to `overshoot` bytes more than `length` are written. What has just been stored
// is loaded again only in the pieces in which it was stored: anything else waits for the cache.
VITRINE_INFLATE inline void copy_match(std::byte* to, std::size_t distance, std::size_t length)
{
    const std::byte* from = to - distance;
    std::byte* const end = to + length;
    if (length <= 16 && (distance >= 8 || length <= distance)) { // nearly all
        copy_word(to, from);
        if (length > 8) copy_word(to + 8, from + 8);
    } else if (distance >= 32) {
        do {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
            to += 32;
            from += 32;
        } while (to < end);
    } else if (distance >= 16) { // the first `distance` bytes again and again
        const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + distance - 16));
        do {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to + distance - 16), high);
            to += distance;
        } while (to < end);
    } else {
        const __m128i order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(repeats[distance].data()));
        const __m128i pattern =
            _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), order);
        const std::size_t step = 16 - 16 % distance;
        do {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), pattern);
            to += step;
        } while (to < end);
    }
}

class Inflater {
public:
    // Into `room`, or, where `take` is given, `size` bytes through it.
    Inflater(Bytes from, std::span<std::byte> room, std::size_t size, const TakePiece* take)
        : in_(from.data()), in_end_(in_ + from.size()), first_(room.data()), given_(first_), checked_(first_),
          out_(first_), out_end_(first_ + std::min(room.size(), size)), room_end_(first_ + room.size()),
          to_come_(size - static_cast<std::size_t>(out_end_ - out_)), take_(take)
    {
    }

    bool run()
    {
        if (!read_header()) return false;
        for (bool is_last = false; !is_last;) {
            if (!refill(3)) return false;
            is_last = take_bits(1) != 0;
            const auto kind = take_bits(2);
            if (!(kind == 0 ? copy_block() : kind == 3 ? false : read_codes(kind == 1) && read_block()))
                return false;
            check();
        }
        if (out_ != out_end_ || to_come_ != 0) return false;
        give(out_);
        return read_checksum();
    }

private:
    enum class Stop : std::uint8_t { block, damaged, room };

    bool read_header()
    {
        if (in_end_ - in_ < 6) return false;
        const unsigned method = std::to_integer<unsigned>(in_[0]), flags = std::to_integer<unsigned>(in_[1]);
        in_ += 2;
        return (method & 0xF) == 8 && method >> 4 <= 7 && (flags & 0x20) == 0 &&
               (method << 8 | flags) % 31 == 0;
    }
    bool read_checksum()
    {
        return_bytes();
        if (in_end_ - in_ < 4) return false;
        std::uint32_t stored = 0;
        for (int i = 0; i < 4; ++i)
            stored = stored << 8 | std::to_integer<std::uint32_t>(in_[i]);
        return stored == checksum_;
    }

    // At least `count` (48 at most) bits, one byte after the other. False at the stream's end.
    bool refill(unsigned count)
    {
        while (bit_count_ < count) {
            if (in_ == in_end_) return false;
            stream_ |= std::to_integer<std::uint64_t>(*in_++) << bit_count_;
            bit_count_ += 8;
        }
        return true;
    }
    std::uint64_t take_bits(unsigned count)
    {
        const std::uint64_t bits = stream_ & ((std::uint64_t{1} << count) - 1);
        stream_ >>= count;
        bit_count_ -= count;
        return bits;
    }
    // The rest of a byte is passed over, whole ones are read again.
    void return_bytes()
    {
        in_ -= bit_count_ / 8;
        stream_ = 0;
        bit_count_ = 0;
    }

    // What is finished so far into the checksum, while it is in the cache.
    void check()
    {
        checksum_ = libdeflate_adler32(checksum_, checked_, static_cast<std::size_t>(out_ - checked_));
        checked_ = out_;
    }
    void give(const std::byte* end)
    {
        if (take_ != nullptr && end != given_) (*take_)(Bytes(given_, end));
        given_ = end;
    }
    // Gives what is finished and keeps what copies may reach.
    void make_room()
    {
        check();
        give(given_ + (out_ - given_) / 64 * 64);
        const std::byte* const keep =
            std::min<const std::byte*>(given_, out_ - std::min(out_ - first_, window));
        const auto moved = keep - first_;
        std::memmove(first_, keep, static_cast<std::size_t>(out_ - keep));
        out_ -= moved;
        given_ -= moved;
        checked_ = out_;
        const auto more = std::min(to_come_, static_cast<std::size_t>(room_end_ - (out_end_ - moved)));
        out_end_ += static_cast<std::ptrdiff_t>(more) - moved;
        to_come_ -= more;
    }
    bool needs_room() const { return to_come_ != 0 && out_end_ - out_ < reach; }

    bool copy_block();
    bool read_codes(bool is_fixed);
    bool read_lengths(std::span<std::uint8_t> lengths);
    bool read_block();
    Stop read_fast();
    Stop read_slowly();
    bool read_distance(std::size_t length);

    const std::byte *in_, *in_end_;
    std::uint64_t stream_ = 0; // the next bits, the first one lowest
    unsigned bit_count_ = 0;
    std::byte* first_; // what can be reached begins here
    const std::byte *given_, *checked_;
    std::byte *out_, *out_end_, *room_end_;
    std::size_t to_come_; // bytes that out_end_ leaves out
    const TakePiece* take_;
    std::uint32_t checksum_ = 1;
    CodeTable<number_bits, 288> numbers_; // literals and lengths
    CodeTable<8, 32> distances_;
};

bool Inflater::copy_block()
{
    return_bytes();
    if (in_end_ - in_ < 4) return false;
    const auto half = [&](int i) {
        return std::to_integer<std::uint32_t>(in_[i]) | std::to_integer<std::uint32_t>(in_[i + 1]) << 8;
    };
    std::ptrdiff_t left = half(0);
    if ((half(0) ^ half(2)) != 0xFFFF) return false;
    in_ += 4;
    if (in_end_ - in_ < left) return false;
    while (left > 0) {
        if (needs_room()) make_room();
        const auto size = std::min(left, out_end_ - out_);
        if (size == 0) return false;
        std::memcpy(out_, in_, static_cast<std::size_t>(size));
        out_ += size;
        in_ += size;
        left -= size;
    }
    return true;
}

// RFC 1951, 3.2.7: lengths of codewords, themselves in a code.
bool Inflater::read_lengths(std::span<std::uint8_t> lengths)
{
    constexpr std::array<std::uint8_t, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                 11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> of_lengths{};
    if (!refill(4)) return false;
    const auto stored = take_bits(4) + 4;
    for (std::size_t i = 0; i < stored; ++i) {
        if (!refill(3)) return false;
        of_lengths[order[i]] = static_cast<std::uint8_t>(take_bits(3));
    }
    if (!distances_.build(of_lengths, length_meanings)) return false; // whose table is not used yet
    for (std::size_t i = 0; i < lengths.size();) {
        refill(14); // fewer may do at the stream's end
        const CodeEntry entry = distances_.find(stream_);
        if (entry.is(CodeEntry::bad) || entry.bits() > bit_count_) return false;
        take_bits(entry.bits());
        const auto value = static_cast<std::uint8_t>(entry.value());
        if (value < 16) {
            lengths[i++] = value;
            continue;
        }
        const unsigned extra = value == 16 ? 2 : value == 17 ? 3 : 7;
        if (extra > bit_count_ || (value == 16 && i == 0)) return false;
        const auto count = take_bits(extra) + (value == 18 ? 11 : 3);
        if (count > lengths.size() - i) return false;
        std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(i), count,
                    value == 16 ? lengths[i - 1] : std::uint8_t{0});
        i += count;
    }
    return true;
}

bool Inflater::read_codes(bool is_fixed)
{
    std::array<std::uint8_t, 288 + 32> lengths{};
    std::size_t numbers = 288, distances = 32;
    if (is_fixed) {
        for (std::size_t i = 0; i < numbers; ++i)
            lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        std::fill_n(lengths.begin() + 288, 32, std::uint8_t{5});
    } else {
        if (!refill(10)) return false;
        numbers = take_bits(5) + 257;
        distances = take_bits(5) + 1;
        if (numbers > 286 || distances > 30 || !read_lengths(std::span(lengths).first(numbers + distances)))
            return false;
    }
    const std::span all(lengths);
    if (!numbers_.build(all.first(numbers), number_meanings)) return false;
    numbers_.join_literals();
    return distances_.build(all.subspan(numbers, distances), distance_meanings);
}

bool Inflater::read_block()
{
    for (;;) {
        if (needs_room()) make_room();
        Stop stop = read_fast();
        if (stop == Stop::room) stop = read_slowly();
        if (stop != Stop::room) return stop == Stop::block;
    }
}

// While so much of the stream and of the room is left that none has to be asked for.
VITRINE_INFLATE Inflater::Stop Inflater::read_fast()
{
    const std::byte* in = in_;
    std::byte* out = out_;
    std::uint64_t stream = stream_;
    std::uint64_t bit_count = bit_count_;
    Stop stop = Stop::room;
    // At least 56 bits; those above bit_count are the stream's too, and come once more.
    const auto refill_fast = [&]() VITRINE_INFLATE {
        stream |= load_word(in) << bit_count;
        in += (63 - bit_count) >> 3;
        bit_count |= 56;
    };
    const auto take = [&](CodeEntry entry) VITRINE_INFLATE {
        stream >>= entry.shift();
        bit_count -= entry.bits();
    };
    const auto number = [&](CodeEntry entry) VITRINE_INFLATE {
        const std::uint64_t value = entry.value() + (_bzhi_u64(stream, entry.bits()) >> entry.length());
        take(entry);
        return value;
    };
    const auto put = [&](CodeEntry entry) VITRINE_INFLATE {
        const auto bytes = static_cast<std::uint16_t>(entry.value());
        std::memcpy(out, &bytes, sizeof bytes);
        out += entry.literals();
        take(entry);
    };
    const std::byte* const in_last = in_end_ - std::min<std::ptrdiff_t>(in_end_ - in, 32);
    const std::byte* const out_last = out_end_ - std::min(out_end_ - out, reach);
    const std::byte* const first = first_;
    if (in >= in_last || out >= out_last) return stop;
    // Each entry is looked up with the bits that are left, before others are added: it waits for less.
    refill_fast();
    CodeEntry entry = numbers_.find(stream);
    do {
        refill_fast();
        if (entry.is(CodeEntry::literal)) {
            put(entry);
            entry = numbers_.find(stream);
            if (entry.is(CodeEntry::literal)) {
                put(entry);
                entry = numbers_.find(stream);
                if (entry.is(CodeEntry::literal)) {
                    put(entry);
                    entry = numbers_.find(stream);
                    continue;
                }
            }
            refill_fast();
        }
        if (entry.is(CodeEntry::further | CodeEntry::end | CodeEntry::bad)) {
            if (entry.is(CodeEntry::further)) {
                take(entry);
                entry = numbers_.find_further(entry, stream);
                if (entry.is(CodeEntry::literal)) {
                    put(entry);
                    entry = numbers_.find(stream);
                    continue;
                }
            }
            if (entry.is(CodeEntry::end | CodeEntry::bad)) {
                stop = entry.is(CodeEntry::end) ? Stop::block : Stop::damaged;
                take(entry);
                break;
            }
        }
        const std::uint64_t length = number(entry);
        if (bit_count < longest_distance + number_bits) refill_fast();
        entry = distances_.find(stream);
        if (entry.is(CodeEntry::further)) {
            take(entry);
            entry = distances_.find_further(entry, stream);
        }
        const std::uint64_t distance = number(entry);
        if (entry.is(CodeEntry::bad) || distance > static_cast<std::uint64_t>(out - first)) {
            stop = Stop::damaged;
            break;
        }
        entry = numbers_.find(stream);
        copy_match(out, distance, length);
        out += length;
    } while (in < in_last && out < out_last);
    in_ = in;
    out_ = out;
    bit_count_ = static_cast<unsigned>(bit_count);
    stream_ = _bzhi_u64(stream, bit_count_);
    return stop;
}

// The same with every bit and byte asked for.
Inflater::Stop Inflater::read_slowly()
{
    while (!needs_room()) {
        refill(48); // fewer may do at the stream's end
        CodeEntry entry = numbers_.find(stream_);
        if (entry.is(CodeEntry::further) && entry.bits() <= bit_count_) {
            take_bits(entry.bits());
            entry = numbers_.find_further(entry, stream_);
        }
        if (entry.is(CodeEntry::bad) || entry.bits() > bit_count_) return Stop::damaged;
        const auto extra = take_bits(entry.bits()) >> entry.length();
        if (entry.is(CodeEntry::end)) return Stop::block;
        if (entry.is(CodeEntry::literal)) {
            for (std::uint32_t i = 0, bytes = entry.value(); i < entry.literals(); ++i, bytes >>= 8) {
                if (out_ == out_end_) return Stop::damaged;
                *out_++ = static_cast<std::byte>(bytes);
            }
        } else if (!read_distance(entry.value() + extra)) {
            return Stop::damaged;
        }
    }
    return Stop::room;
}

bool Inflater::read_distance(std::size_t length)
{
    CodeEntry entry = distances_.find(stream_);
    if (entry.is(CodeEntry::further) && entry.bits() <= bit_count_) {
        take_bits(entry.bits());
        entry = distances_.find_further(entry, stream_);
    }
    if (entry.is(CodeEntry::bad) || entry.bits() > bit_count_) return false;
    const auto extra = take_bits(entry.bits()) >> entry.length();
    const std::size_t distance = entry.value() + extra;
    if (distance > static_cast<std::size_t>(out_ - first_)) return false;
    if (length > static_cast<std::size_t>(out_end_ - out_)) return false;
    for (; length > 0; --length, ++out_)
        *out_ = *(out_ - static_cast<std::ptrdiff_t>(distance));
    return true;
}

#endif

} // namespace

bool inflate_zlib(Bytes from, std::span<std::byte> into)
{
#if defined(__x86_64__)
    if (usable) return std::make_unique<Inflater>(from, into, into.size(), nullptr)->run();
#endif
    return inflate_whole(from, into);
}

bool inflate_zlib(Bytes from, std::size_t size, const TakePiece& take)
{
#if defined(__x86_64__)
    if (usable) {
        const std::size_t room = std::min(size, piece_room);
        const auto buffer = std::make_unique_for_overwrite<std::byte[]>(room);
        return std::make_unique<Inflater>(from, std::span(buffer.get(), room), size, &take)->run();
    }
#endif
    const auto whole = std::make_unique_for_overwrite<std::byte[]>(size);
    if (!inflate_whole(from, {whole.get(), size})) return false;
    take(Bytes(whole.get(), size));
    return true;
}

} // namespace vitrine::io
