#include "loaders/images/tiff_file.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace vitrine::images {
namespace {

TiffFile::State& state_of(void* handle)
{
    return *static_cast<TiffFile::State*>(handle);
}

extern "C" {

static tmsize_t read_bytes(thandle_t handle, void* out, tmsize_t size)
{
    TiffFile::State& state = state_of(handle);
    if (size < 0 || state.at >= state.bytes.size()) return 0;
    const std::uint64_t count = std::min(static_cast<std::uint64_t>(size), state.bytes.size() - state.at);
    std::memcpy(out, state.bytes.data() + state.at, count);
    state.at += count;
    return static_cast<tmsize_t>(count);
}

static tmsize_t write_nothing(thandle_t /*handle*/, void* /*in*/, tmsize_t /*size*/)
{
    return -1;
}

// Offsets from the current position or the end may be negative (two's complement).
static toff_t seek_to(thandle_t handle, toff_t offset, int whence)
{
    TiffFile::State& state = state_of(handle);
    if (whence == SEEK_CUR) offset += state.at;
    if (whence == SEEK_END) offset += state.bytes.size();
    state.at = offset;
    return offset;
}

static int close_nothing(thandle_t /*handle*/)
{
    return 0;
}

static toff_t size_of_file(thandle_t handle)
{
    return state_of(handle).bytes.size();
}

// The const_cast is safe: the library itself maps files read-only and does not write to them.
static int map_bytes(thandle_t handle, void** begin, toff_t* size)
{
    const Bytes bytes = state_of(handle).bytes;
    *begin = const_cast<std::byte*>(bytes.data());
    *size = bytes.size();
    return 1;
}

static void unmap_nothing(thandle_t /*handle*/, void* /*begin*/, toff_t /*size*/) {}

static int keep_error(TIFF* /*tiff*/, void* handle, const char* /*module*/, const char* format,
                      va_list values)
{
    std::array<char, 256> text{};
    std::vsnprintf(text.data(), text.size(), format, values);
    if (state_of(handle).error.empty()) state_of(handle).error = text.data();
    return 1; // prevents the call of other handlers
}

static int ignore_warning(TIFF* /*tiff*/, void* /*handle*/, const char* /*module*/, const char* /*format*/,
                          va_list /*values*/)
{
    return 1;
}

} // extern "C"

} // namespace

TiffFile::TiffFile(Bytes bytes, std::uint64_t max_allocation) : state_{bytes}
{
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   TIFFOpenOptionsFree);
    if (!options) return;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(max_allocation));
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, &state_);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, &state_);
    // Mapped, because version 4.5 rejects small uncompressed tiles of files that are read in pieces.
    tiff_.reset(TIFFClientOpenExt("image", "r", &state_, read_bytes, write_nothing, seek_to, close_nothing,
                                  size_of_file, map_bytes, unmap_nothing, options.get()));
}

} // namespace vitrine::images
