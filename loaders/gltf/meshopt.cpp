#include "loaders/gltf/meshopt.hpp"

#include <algorithm>
#include <array>

#include <meshoptimizer.h>

#include "loaders/gltf/fields.hpp"

namespace vitrine::gltf {
namespace {

using Mode = MeshoptView::Mode;
using Filter = MeshoptView::Filter;

constexpr std::array<std::string_view, 3> modes = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
constexpr std::array<std::string_view, 4> filters = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};

// The least that one element costs: the vertex codec spends two bits on sixteen bytes of a column, the index
// codec a byte on a triangle. What announces more elements than that is refused before it is allocated.
constexpr std::uint64_t most_bytes_for_one = 256;

template <class Enum, std::size_t N>
Enum read_word(Fields& fields, const std::array<std::string_view, N>& words, const io::JsonValue& value,
               std::string_view text)
{
    const auto* const found = std::ranges::find(words, text);
    if (found == words.end()) {
        fields.fail(LoadErrc::malformed, value, fmt::format("{} is none of the extension's words", text));
        return Enum{};
    }
    return static_cast<Enum>(found - words.begin());
}

bool stride_fits(const MeshoptView& view)
{
    if (view.mode != Mode::attributes) return view.stride == 2 || view.stride == 4;
    switch (view.filter) {
    case Filter::octahedral: return view.stride == 4 || view.stride == 8;
    case Filter::quaternion: return view.stride == 8;
    case Filter::exponential:
    case Filter::none: break;
    }
    return view.stride > 0 && view.stride <= 256 && view.stride % 4 == 0;
}

const unsigned char* data_of(Bytes bytes)
{
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

bool decode(const MeshoptView& view, Bytes compressed, std::byte* out)
{
    switch (view.mode) {
    case Mode::attributes:
        return meshopt_decodeVertexBuffer(out, view.count, view.stride, data_of(compressed),
                                          compressed.size()) == 0;
    case Mode::triangles:
        return meshopt_decodeIndexBuffer(out, view.count, view.stride, data_of(compressed),
                                         compressed.size()) == 0;
    case Mode::indices: break;
    }
    return meshopt_decodeIndexSequence(out, view.count, view.stride, data_of(compressed),
                                       compressed.size()) == 0;
}

void apply_filter(const MeshoptView& view, std::byte* bytes)
{
    switch (view.filter) {
    case Filter::none: return;
    case Filter::octahedral: return meshopt_decodeFilterOct(bytes, view.count, view.stride);
    case Filter::quaternion: return meshopt_decodeFilterQuat(bytes, view.count, view.stride);
    case Filter::exponential: return meshopt_decodeFilterExp(bytes, view.count, view.stride);
    }
}

} // namespace

LoadResult<MeshoptView> read_meshopt_view(io::JsonValue extension)
{
    Fields fields(extension);
    MeshoptView view;
    view.count = fields.integer("count");
    view.stride = fields.integer("byteStride");
    view.mode = read_word<Mode>(fields, modes, extension, fields.string("mode"));
    if (extension["filter"].exists())
        view.filter = read_word<Filter>(fields, filters, extension, fields.string("filter"));
    if (!stride_fits(view))
        fields.fail(LoadErrc::malformed, extension, fmt::format("elements of {} bytes", view.stride));
    if (view.mode != Mode::attributes && view.filter != Filter::none)
        fields.fail(LoadErrc::malformed, extension, "indices have no filter");
    if (view.mode == Mode::triangles && view.count % 3 != 0)
        fields.fail(LoadErrc::malformed, extension, fmt::format("triangles of {} indices", view.count));
    if (fields.failed()) return fields.error();
    return view;
}

LoadResult<std::vector<std::byte>> decode_meshopt(const MeshoptView& view, Bytes compressed,
                                                  io::Budget& budget, const std::string& where)
{
    if (view.count / most_bytes_for_one > compressed.size())
        return fail(LoadErrc::malformed, where,
                    fmt::format("{} elements cannot come out of {} bytes", view.count, compressed.size()));
    const std::uint64_t size = view.count * view.stride;
    if (auto taken = budget.take_bytes(size, where); !taken) return std::unexpected(taken.error());
    std::vector<std::byte> out(size);
    if (!decode(view, compressed, out.data()))
        return fail(LoadErrc::malformed, where, "the compressed data (EXT_meshopt_compression) are broken");
    apply_filter(view, out.data());
    return out;
}

} // namespace vitrine::gltf
