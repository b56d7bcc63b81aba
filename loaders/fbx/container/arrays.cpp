// Decodes arrays and lists of values on demand: uncompressed, deflated, tagged, text.

#include <algorithm>
#include <array>
#include <type_traits>

#include <fmt/format.h>

#include "loaders/fbx/container/binary_values.hpp"
#include "loaders/fbx/container/container.hpp"
#include "loaders/fbx/container/convert_value.hpp"
#include "loaders/fbx/container/text_values.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/io/zlib/inflater.hpp"

namespace vitrine::fbx {
namespace {

// Output of converted numbers: appends them to a list, or in groups of three.
template <class T>
void put(std::span<const T> numbers, std::vector<T>& out)
{
    out.insert(out.end(), numbers.begin(), numbers.end());
}

struct PointList {
    std::vector<glm::vec3> points;
    std::array<float, 3> begun{}; // components of the next point so far
    std::size_t count = 0;
};
void put(std::span<const float> numbers, PointList& out)
{
    std::size_t i = 0;
    const auto complete = [&] {
        while (i < numbers.size() && out.count < 3)
            out.begun[out.count++] = numbers[i++];
        if (out.count < 3) return;
        out.points.emplace_back(out.begun[0], out.begun[1], out.begun[2]);
        out.count = 0;
    };
    if (out.count != 0) complete();
    for (; i + 3 <= numbers.size(); i += 3)
        out.points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    complete();
}

// Converts numbers of type Stored, in native or swapped byte order, through an L1-sized buffer: resizing a
// vector and then overwriting it would write memory twice.
template <class T, class Stored, class Out>
void append(Bytes from, bool swap, Out& out)
{
    std::array<T, 1024> some;
    for (std::size_t left = from.size() / sizeof(Stored); left > 0;) {
        const std::size_t count = std::min(left, some.size());
        for (std::size_t i = 0; i < count; ++i) {
            Stored stored;
            std::memcpy(&stored, from.data() + i * sizeof(Stored), sizeof(Stored));
            if (swap) stored = swap_bytes(stored);
            if constexpr (std::is_integral_v<Stored> && std::is_integral_v<T> && sizeof(Stored) == sizeof(T))
                some[i] = static_cast<T>(stored);
            else if constexpr (std::is_floating_point_v<Stored>)
                some[i] = to<T>(double{stored});
            else
                some[i] = to<T>(std::int64_t{stored});
        }
        put(std::span<const T>(some).first(count), out);
        from = from.subspan(count * sizeof(Stored));
        left -= count;
    }
}

template <class T, class Out>
void append(Bytes from, char type, bool swap, Out& out)
{
    switch (type) {
    case 'd': return append<T, double>(from, swap, out);
    case 'f': return append<T, float>(from, swap, out);
    case 'l': return append<T, std::int64_t>(from, swap, out);
    case 'i': return append<T, std::int32_t>(from, swap, out);
    default: return append<T, std::uint8_t>(from, false, out);
    }
}

// Decodes an array, deflated or not. Returns false when it is damaged.
template <class T, class Out>
bool decode(const ElementNode& node, bool swap, Out& out)
{
    if (node.storage == Storage::array) return append<T>(node.bytes, node.type, swap, out), true;
    if (node.count == 0) return true;
    alignas(std::int64_t) std::array<std::byte, 1 << 15> room; // a multiple of every element size
    io::Inflater stream(node.bytes);
    for (std::size_t left = node.count * element_size(node.type); left > 0;) {
        const auto piece = std::span(room).first(std::min(left, room.size()));
        if (!stream.fill(piece)) return false;
        append<T>(Bytes(piece), node.type, swap, out);
        left -= piece.size();
    }
    return stream.ends();
}

} // namespace

LoadResult<std::vector<Value>> Element::all_values() const
{
    std::vector<Value> out;
    if (!exists()) return out;
    const ElementNode& from = node();
    if (from.count > tree_->max_array_count)
        return fail(LoadErrc::limit_exceeded, location(),
                    fmt::format("{} values are more than the {} that the limits vertices, indices, "
                                "influences, key_values and morph_deltas allow",
                                from.count, tree_->max_array_count));
    if (from.count <= value_count() || (from.storage != Storage::list && from.storage != Storage::text)) {
        for (std::uint32_t i = 0; i < value_count(); ++i)
            out.push_back((*this)[i]);
        return out;
    }
    out.reserve(from.count);
    if (from.storage == Storage::text) {
        parse_values(from.bytes, out);
        return out;
    }
    ValueReader in(from.bytes, tree_->big_endian);
    for (std::uint64_t i = 0; i < from.count && !in.failed(); ++i)
        out.push_back(in.read_value());
    if (in.failed()) return fail(LoadErrc::malformed, location(), "a value cannot be read");
    return out;
}

// A compressed megabyte can inflate to a gigabyte, and an element can be read repeatedly.
LoadResult<void> Element::count_numbers() const
{
    tree_->numbers_read += node().count;
    if (node().count <= tree_->max_array_count && tree_->numbers_read <= 2 * tree_->max_array_count)
        return {};
    return fail(LoadErrc::limit_exceeded, location(),
                fmt::format("{}: {} values are more than the {} that the limits vertices, indices, "
                            "influences, key_values and morph_deltas allow",
                            io::shown(name()), node().count, tree_->max_array_count));
}

template <class T>
LoadResult<std::vector<T>> Element::array() const
{
    std::vector<T> out;
    if (!exists() || node().storage == Storage::none) return out;
    const ElementNode& from = node();
    const auto reject = [&](std::string_view what) {
        return fail(LoadErrc::malformed, location(), fmt::format("{}: {}", io::shown(from.name), what));
    };
    if (auto counted = count_numbers(); !counted) return std::unexpected(counted.error());
    switch (from.storage) {
    case Storage::array:
    case Storage::deflated:
        io::reserve_large(out, from.count);
        if (!decode<T>(from, tree_->big_endian, out)) return reject("the compressed array is damaged");
        break;
    case Storage::list: {
        out.reserve(from.count);
        ValueReader in(from.bytes, tree_->big_endian);
        for (std::uint64_t i = 0; i < from.count && !in.failed(); ++i)
            out.push_back(to<T>(in.read_value()));
        if (in.failed()) return reject("a value cannot be read");
        break;
    }
    default:
        if (const char* fault = parse_numbers(from, out))
            return fail(LoadErrc::malformed, location_of(*tree_, fault),
                        fmt::format("{} contains a value that is not a number", io::shown(from.name)));
    }
    return out;
}

LoadResult<std::vector<glm::vec3>> Element::points() const
{
    PointList out;
    if (!exists() || (node().storage != Storage::array && node().storage != Storage::deflated)) {
        const auto numbers = array<float>();
        if (!numbers) return std::unexpected(numbers.error());
        io::reserve_large(out.points, numbers->size() / 3);
        put(*numbers, out);
        return std::move(out.points);
    }
    if (auto counted = count_numbers(); !counted) return std::unexpected(counted.error());
    io::reserve_large(out.points, node().count / 3);
    if (!decode<float>(node(), tree_->big_endian, out))
        return fail(LoadErrc::malformed, location(),
                    fmt::format("{}: the compressed array is damaged", io::shown(name())));
    return std::move(out.points);
}

template LoadResult<std::vector<float>> Element::array() const;
template LoadResult<std::vector<double>> Element::array() const;
template LoadResult<std::vector<std::int32_t>> Element::array() const;
template LoadResult<std::vector<std::uint32_t>> Element::array() const;
template LoadResult<std::vector<std::int64_t>> Element::array() const;

} // namespace vitrine::fbx
