#include "loaders/gltf/document/container.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "loaders/io/byte_reader.hpp"

namespace vitrine::gltf {
namespace {

constexpr std::uint32_t json_chunk = 0x4E4F534A; // "JSON"
constexpr std::uint32_t body_chunk = 0x004E4942; // "BIN\0"

bool is_glb(Bytes file)
{
    return file.size() >= 4 && std::memcmp(file.data(), "glTF", 4) == 0;
}

// The padding should be blanks; some writers use zeros.
Bytes without_padding(Bytes json)
{
    while (!json.empty() && json.back() == std::byte{0})
        json = json.first(json.size() - 1);
    return json;
}

LoadResult<Bytes> read_chunks(Bytes file, io::WarningLog& warnings)
{
    io::ByteReader in(file);
    in.skip(4);
    const auto version = in.read<std::uint32_t>();
    const auto length = in.read<std::uint32_t>();
    if (in.failed()) return fail(LoadErrc::truncated, "byte 0", "the file ends inside the GLB header");
    if (version == 1) return fail(LoadErrc::unsupported, "byte 4", "glTF 1.0 is not supported, only 2.0");
    if (version != 2)
        return fail(LoadErrc::unsupported, "byte 4", fmt::format("GLB version {} is not supported", version));
    if (length > file.size())
        return fail(LoadErrc::truncated, "byte 8",
                    fmt::format("the file declares {} bytes and has {}", length, file.size()));
    if (length < file.size())
        warnings.add("trailing_bytes", "bytes after the declared end are ignored",
                     fmt::format("byte {}", length));
    return file.first(length).subspan(std::min<std::size_t>(length, 12));
}

} // namespace

LoadResult<Container> split_container(Bytes file, io::WarningLog& warnings)
{
    if (!is_glb(file)) return Container{false, file, std::nullopt};
    const LoadResult<Bytes> chunks = read_chunks(file, warnings);
    if (!chunks) return std::unexpected(chunks.error());
    Container container{.glb = true, .json = {}, .body = std::nullopt};
    io::ByteReader in(*chunks);
    for (std::uint32_t chunk = 0; in.remaining() > 0; ++chunk) {
        const std::string where = fmt::format("byte {}", 12 + in.position());
        const auto size = in.read<std::uint32_t>();
        const auto type = in.read<std::uint32_t>();
        const Bytes bytes = in.read_bytes(size);
        if (in.failed())
            return fail(LoadErrc::truncated, where, "a GLB chunk extends beyond the end of the file");
        if (chunk == 0 && type != json_chunk)
            return fail(LoadErrc::malformed, where, "the first GLB chunk is not JSON");
        if (chunk == 0) container.json = without_padding(bytes);
        if (type == body_chunk && !container.body) container.body = bytes;
    }
    if (container.json.empty()) return fail(LoadErrc::malformed, "byte 12", "the GLB file has no JSON chunk");
    return container;
}

} // namespace vitrine::gltf
