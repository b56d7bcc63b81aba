#include "loaders/export/gltf/glb_container.hpp"

namespace vitrine::exporting {
namespace {

void append_word(std::vector<std::byte>& out, std::uint64_t word)
{
    const auto narrow = static_cast<std::uint32_t>(word);
    const auto* bytes = reinterpret_cast<const std::byte*>(&narrow);
    out.insert(out.end(), bytes, bytes + sizeof narrow);
}

void append_chunk(std::vector<std::byte>& out, std::uint32_t type, std::span<const std::byte> bytes,
                  std::byte padding)
{
    const auto padded = (bytes.size() + 3) / 4 * 4;
    append_word(out, padded);
    append_word(out, type);
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.insert(out.end(), padded - bytes.size(), padding);
}

} // namespace

std::unexpected<LoadError> glb_size_error()
{
    return fail(LoadErrc::limit_exceeded, "", "the model needs more than the 4 GB of a GLB");
}

// The JSON chunk is padded with spaces, the binary chunk with zeros.
LoadResult<std::vector<std::byte>> make_glb(std::span<const std::byte> json,
                                            std::span<const std::byte> binary)
{
    constexpr std::uint32_t magic = 0x46546c67, version = 2, json_chunk = 0x4e4f534a,
                            binary_chunk = 0x004e4942;
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    const auto total = 20 + padded(json.size()) + (binary.empty() ? 0 : 8 + padded(binary.size()));
    if (total > max_glb_bytes) return glb_size_error();
    std::vector<std::byte> out;
    out.reserve(total);
    append_word(out, magic);
    append_word(out, version);
    append_word(out, total);
    append_chunk(out, json_chunk, json, std::byte{' '});
    if (!binary.empty()) append_chunk(out, binary_chunk, binary, std::byte{0});
    return out;
}

} // namespace vitrine::exporting
