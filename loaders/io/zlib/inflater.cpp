#include "loaders/io/zlib/inflater.hpp"

#include <cstdint>
#include <utility>

#include <isa-l/igzip_lib.h>

namespace vitrine::io {
namespace {

// RFC 1950, 2.2: deflate without a preset dictionary. As in other readers, distances are not checked against
// the declared window size.
bool is_zlib_header(std::byte method, std::byte flags)
{
    const auto both = std::to_integer<unsigned>(method) << 8 | std::to_integer<unsigned>(flags);
    constexpr unsigned preset_dictionary_flag = 0x20;
    return (both >> 8 & 0x0f) == 8 && both % 31 == 0 && (both & preset_dictionary_flag) == 0;
}

// The Adler-32 of libisal 2.30 for AVX2 leaves the upper halves of the vector registers in use. Until they
// are cleared, SSE instructions of this thread that follow AVX instructions of other libraries take several
// times as long.
#ifdef __x86_64__
[[gnu::target("avx")]] void clear_upper_halves()
{
    __builtin_ia32_vzeroupper();
}
#endif

void end_vector_code()
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx")) clear_upper_halves();
#endif
}

} // namespace

Inflater::Inflater(Bytes zlib, std::function<Bytes()> next_part)
    : state_(std::make_unique_for_overwrite<inflate_state>())
{
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_ZLIB_NO_HDR_VER;
    if (zlib.size() < 2 || !is_zlib_header(zlib[0], zlib[1])) return; // no header: treated as damaged
    set_input(zlib.subspan(2));
    next_part_ = std::move(next_part);
}

Inflater::~Inflater() = default;

void Inflater::set_input(Bytes part)
{
    // ISA-L only reads through this pointer although it is not const.
    state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(part.data()));
    state_->avail_in = static_cast<std::uint32_t>(part.size());
}

bool Inflater::take_next_part()
{
    if (state_->avail_in != 0 || !next_part_) return false;
    const Bytes part = next_part_();
    if (!part.empty()) set_input(part);
    return !part.empty();
}

// One call of the library continues until the piece is full, the input is consumed or the stream ends.
bool Inflater::inflate(std::span<std::byte> piece)
{
    state_->next_out = reinterpret_cast<std::uint8_t*>(piece.data());
    state_->avail_out = static_cast<std::uint32_t>(piece.size());
    bool is_valid = true;
    do {
        is_valid = isal_inflate(state_.get()) == ISAL_DECOMP_OK;
    } while (is_valid && state_->avail_out != 0 && state_->block_state != ISAL_BLOCK_FINISH &&
             take_next_part());
    end_vector_code();
    return is_valid;
}

bool Inflater::fill(std::span<std::byte> piece)
{
    return inflate(piece) && state_->avail_out == 0;
}

bool Inflater::ends()
{
    std::byte beyond{};
    return inflate({&beyond, 1}) && state_->avail_out == 1 && state_->block_state == ISAL_BLOCK_FINISH;
}

} // namespace vitrine::io
