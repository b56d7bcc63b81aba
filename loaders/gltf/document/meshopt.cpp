#include "loaders/gltf/document/meshopt.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <meshoptimizer.h>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/meshopt_attributes.hpp"

namespace vitrine::gltf {
namespace {

using Mode = MeshoptView::Mode;
using Filter = MeshoptView::Filter;

constexpr std::array<std::string_view, 3> mode_names = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
constexpr std::array<std::string_view, 5> filters = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL",
                                                     "COLOR"};

// Upper limit on the compression ratio: the attribute codec uses at least two bits per byte of 256 elements,
// the index codec a byte per triangle. Larger declared sizes are rejected before allocation.
constexpr std::uint64_t max_compression_ratio = 256;

template <class Enum, std::size_t N>
Enum read_word(Fields& fields, const std::array<std::string_view, N>& words, const io::JsonValue& value,
               std::string_view text)
{
    const auto* const found = std::ranges::find(words, text);
    if (found == words.end()) {
        fields.fail(LoadErrc::malformed, value, fmt::format("{} is not a value of the extension", text));
        return Enum{};
    }
    return static_cast<Enum>(found - words.begin());
}

bool stride_fits(const MeshoptView& view)
{
    if (view.mode != Mode::attributes) return view.stride == 2 || view.stride == 4;
    switch (view.filter) {
    case Filter::octahedral:
    case Filter::color: return view.stride == 4 || view.stride == 8;
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
    const std::span<const std::uint8_t> stream(data_of(compressed), compressed.size());
    switch (view.mode) {
    case Mode::attributes:
        if (is_meshopt_version_1(stream)) // Debian 12's library reads version 0 only
            return decode_meshopt_attributes(
                stream, view.stride,
                {reinterpret_cast<std::uint8_t*>(out), std::size_t{view.count * view.stride}});
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

// Converts YCoCg of K bits to RGB of the full range; the alpha's highest set bit gives K (Appendix B, "Filter
// 4: color").
template <class Component>
void decode_colors(std::byte* bytes, std::uint64_t count)
{
    constexpr int max_value = std::numeric_limits<Component>::max();
    const auto with_sign = [](int value) { return value > max_value / 2 ? value - max_value - 1 : value; };
    std::array<Component, 4> element{};
    for (std::uint64_t i = 0; i < count; ++i, bytes += sizeof element) {
        std::memcpy(element.data(), bytes, sizeof element);
        const int luma = element[0], orange = with_sign(element[1]), green = with_sign(element[2]);
        const int one = std::max((1 << std::bit_width(element[3])) - 1, 1);
        const int alpha = element[3] & (one >> 1);
        const std::array<int, 4> color = {luma + orange - green, luma + green, luma - orange - green,
                                          (alpha << 1) | (alpha & 1)};
        const float scale = static_cast<float>(max_value) / static_cast<float>(one);
        std::ranges::transform(color, element.begin(), [&](int value) {
            return static_cast<Component>(std::round(static_cast<float>(std::clamp(value, 0, one)) * scale));
        });
        std::memcpy(bytes, element.data(), sizeof element);
    }
}

void apply_filter(const MeshoptView& view, std::byte* bytes)
{
    switch (view.filter) {
    case Filter::none: return;
    case Filter::octahedral: return meshopt_decodeFilterOct(bytes, view.count, view.stride);
    case Filter::quaternion: return meshopt_decodeFilterQuat(bytes, view.count, view.stride);
    case Filter::exponential: return meshopt_decodeFilterExp(bytes, view.count, view.stride);
    case Filter::color:
        return view.stride == 4 ? decode_colors<std::uint8_t>(bytes, view.count)
                                : decode_colors<std::uint16_t>(bytes, view.count);
    }
}

} // namespace

io::JsonValue meshopt_extension(io::JsonValue view)
{
    const io::JsonValue khronos = view["extensions"]["KHR_meshopt_compression"];
    return khronos.exists() ? khronos : view["extensions"]["EXT_meshopt_compression"];
}

LoadResult<MeshoptView> read_meshopt_view(io::JsonValue extension)
{
    Fields fields(extension);
    MeshoptView view;
    view.count = fields.integer("count");
    view.stride = fields.integer("byteStride");
    view.mode = read_word<Mode>(fields, mode_names, extension, fields.string("mode"));
    if (extension["filter"].exists())
        view.filter = read_word<Filter>(fields, filters, extension, fields.string("filter"));
    if (!stride_fits(view))
        fields.fail(LoadErrc::malformed, extension,
                    fmt::format("the mode or filter does not allow a stride of {} bytes", view.stride));
    if (view.mode != Mode::attributes && view.filter != Filter::none)
        fields.fail(LoadErrc::malformed, extension, "indices have no filter");
    if (view.mode == Mode::triangles && view.count % 3 != 0)
        fields.fail(LoadErrc::malformed, extension,
                    fmt::format("the number of triangle indices ({}) is not a multiple of 3", view.count));
    if (fields.failed()) return fields.error();
    return view;
}

LoadResult<std::vector<std::byte>> decode_meshopt(const MeshoptView& view, Bytes compressed,
                                                  io::Budget& budget, const std::string& where)
{
    if (view.count / max_compression_ratio > compressed.size())
        return fail(LoadErrc::malformed, where,
                    fmt::format("{} elements do not fit {} compressed bytes", view.count, compressed.size()));
    const std::uint64_t size = view.count * view.stride;
    if (auto taken = budget.take_bytes(size, where); !taken) return std::unexpected(taken.error());
    std::vector<std::byte> out(size);
    if (!decode(view, compressed, out.data()))
        return fail(LoadErrc::malformed, where, "the meshopt data is damaged");
    apply_filter(view, out.data());
    return out;
}

} // namespace vitrine::gltf
