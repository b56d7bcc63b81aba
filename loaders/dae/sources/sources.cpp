#include "loaders/dae/sources/sources.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"

namespace vitrine::dae {
namespace {

constexpr std::uint64_t max_components = 1 << 20;

bool is_array(io::XmlNode node)
{
    constexpr std::array<std::string_view, 7> names{"float_array", "Name_array",   "IDREF_array",
                                                    "int_array",   "SIDREF_array", "double_array",
                                                    "bool_array"};
    return std::ranges::find(names, node.name()) != names.end();
}

// Returns the numbers that a <param> of this type has.
std::uint32_t numbers_of(std::string_view type)
{
    const auto digit_at = [&](std::size_t i) -> std::uint32_t {
        return i < type.size() && type[i] >= '2' && type[i] <= '4' ? std::uint32_t(type[i] - '0') : 0;
    };
    if (!type.starts_with("float") && !type.starts_with("int")) return 1;
    const std::size_t base = type.starts_with("float") ? 5 : 3;
    const std::uint32_t rows = digit_at(base);
    if (rows == 0) return 1;
    if (base + 1 < type.size() && type[base + 1] == 'x') return rows * std::max(digit_at(base + 2), 1u);
    return rows;
}

// Returns the offsets of named components; empty when all components of the stride are used: without names or
// without params.
std::vector<std::uint32_t> named_places(io::XmlNode accessor, std::uint64_t stride)
{
    std::vector<std::uint32_t> named;
    std::uint32_t place = 0;
    for (io::XmlNode param = accessor.child("param"); param.exists(); param = param.next("param")) {
        const std::uint32_t size = numbers_of(param.attribute("type"));
        const bool has_name = param.has_attribute("name");
        for (std::uint32_t i = 0; i < size && place < stride; ++i, ++place)
            if (has_name) named.push_back(place);
    }
    return named;
}

std::uint64_t numbers_of_params(io::XmlNode accessor)
{
    std::uint64_t count = 0;
    for (io::XmlNode param = accessor.child("param"); param.exists(); param = param.next("param"))
        count += numbers_of(param.attribute("type"));
    return std::min(count, max_components);
}

// X, Y, Z and W: homogeneous positions.
bool is_homogeneous(io::XmlNode accessor)
{
    io::XmlNode param = accessor.child("param");
    for (const std::string_view name : {"X", "Y", "Z", "W"}) {
        if (param.attribute("name") != name) return false;
        param = param.next("param");
    }
    return !param.exists();
}

// Returns the numbers that the array must contain for its accessor; saturates above the size of any text.
std::uint64_t numbers_under(io::XmlNode accessor, std::uint64_t stride)
{
    constexpr std::uint64_t max_numbers = std::uint64_t{1} << 40;
    return std::min(number_attribute(accessor, "offset", 0), max_numbers) +
           std::min(number_attribute(accessor, "count", 0), max_numbers) * stride;
}

} // namespace

io::XmlNode find_input(io::XmlNode holder, std::string_view semantic)
{
    for (io::XmlNode in = holder.child("input"); in.exists(); in = in.next("input"))
        if (in.attribute("semantic") == semantic) return in;
    return {};
}

io::XmlNode input_source(io::XmlNode holder, std::string_view semantic, Documents& documents)
{
    const io::XmlNode in = find_input(holder, semantic);
    return documents.find(in, in.attribute("source"));
}

std::uint64_t number_attribute(io::XmlNode node, std::string_view name, std::uint64_t fallback)
{
    std::uint32_t value = 0;
    return NumberReader(node.attribute(name)).next(value) ? value : fallback;
}

std::optional<std::uint32_t> find_element(io::XmlNode accessor, std::uint32_t number)
{
    if (!accessor.exists()) return number;
    const std::uint64_t offset = number_attribute(accessor, "offset", 0);
    const std::uint64_t stride = std::max<std::uint64_t>(number_attribute(accessor, "stride", 1), 1);
    if (number < offset || (number - offset) % stride != 0) return std::nullopt;
    return static_cast<std::uint32_t>((number - offset) / stride);
}

io::XmlNode Sources::find_array(io::XmlNode source, io::XmlNode accessor)
{
    if (is_array(source)) return source;
    if (const auto url = accessor.attribute("source"); !url.empty()) {
        const io::XmlNode named = documents_.try_find(source, url);
        if (is_array(named)) return named;
    }
    for (const io::XmlNode child : source)
        if (is_array(child)) return child;
    return {};
}

LoadResult<NumberArray*> Sources::read_values(io::XmlNode array, std::size_t stride,
                                              std::uint64_t required_count)
{
    auto& known = arrays_[array.key()];
    if (known && !known->is_taken()) return known.get();
    const std::string_view text = array.text();
    // A number takes at least two characters; the declared count, or the accessor's requirement when the
    // array declares too few, limits the numbers to read.
    const std::uint64_t announced = number_attribute(array, "count", text.size());
    const std::uint64_t max_numbers =
        std::min<std::uint64_t>(std::max(announced, required_count), text.size() / 2 + 1);
    if (auto taken = documents_.at(array, budget_.take_numbers(max_numbers, {})); !taken)
        return std::unexpected(taken.error());
    known = std::make_unique<NumberArray>(text, static_cast<std::size_t>(max_numbers), stride);
    if (known->size() > announced)
        documents_.warn("array_count_mismatch",
                        fmt::format("the array declares {} numbers but has {}, which its accessor uses",
                                    announced, known->size()),
                        array);
    if (known->bad() > 0)
        documents_.warn("invalid_number",
                        fmt::format("{} words are not finite numbers; they are read as 0", known->bad()),
                        array);
    return known.get();
}

// For a missing stride, or one smaller than the params, the size of the params is used if the array has
// enough numbers.
std::uint64_t Sources::stride_of(io::XmlNode accessor, io::XmlNode array)
{
    const std::uint64_t declared = std::clamp<std::uint64_t>(
        number_attribute(accessor, "stride", accessor.exists() ? 1 : 3), 1, max_components);
    const std::uint64_t taken = numbers_of_params(accessor);
    if (taken <= declared) return declared;
    const std::uint64_t held = number_attribute(array, "count", array.text().size() / 2);
    const bool fits = numbers_under(accessor, taken) <= held;
    documents_.warn("short_stride",
                    fmt::format("the stride is {} and the params need {} numbers; {} is used", declared,
                                taken, fits ? taken : declared),
                    accessor);
    return fits ? taken : declared;
}

const Sources::SourceLayout& Sources::layout_of(io::XmlNode source)
{
    const auto [known, is_new] = layouts_.try_emplace(source.key());
    SourceLayout& layout = known->second;
    if (!is_new) return layout;
    const io::XmlNode accessor = source.child("technique_common").child("accessor");
    layout.accessor = accessor;
    layout.array = find_array(source, accessor);
    if (!layout.array.exists()) return layout;
    layout.stride = stride_of(accessor, layout.array);
    layout.offset = number_attribute(accessor, "offset", 0);
    std::uint32_t count = 0;
    if (NumberReader(accessor.attribute("count")).next(count)) layout.count = count;
    layout.required_count = numbers_under(accessor, layout.stride);
    layout.places = named_places(accessor, layout.stride);
    layout.has_w = is_homogeneous(accessor);
    if (layout.places.size() == layout.stride) layout.places.clear();
    layout.components =
        static_cast<std::uint32_t>(layout.places.empty() ? layout.stride : layout.places.size());
    return layout;
}

LoadResult<FloatSource> Sources::floats(io::XmlNode source)
{
    FloatSource out;
    const SourceLayout& layout = layout_of(source);
    if (!layout.array.exists()) return out;
    const auto values =
        read_values(layout.array, static_cast<std::size_t>(layout.stride), layout.required_count);
    if (!values) return std::unexpected(values.error());
    const std::uint64_t size = (*values)->size();
    const std::uint64_t offset = std::min(layout.offset, size);
    const std::uint64_t last_place = layout.places.empty() ? layout.stride - 1 : layout.places.back();
    const std::uint64_t left = size - offset;
    const std::uint64_t held = left > last_place ? (left - last_place - 1) / layout.stride + 1 : 0;
    const std::uint64_t count = layout.count.value_or(held);
    if (count > held)
        documents_.warn("short_source", fmt::format("the array has {} of {} elements", held, count), source);
    out.array_ = *values;
    out.values_ = (*values)->data();
    out.offset_ = static_cast<std::size_t>(offset);
    out.stride_ = static_cast<std::size_t>(layout.stride);
    out.count_ = static_cast<std::uint32_t>(std::min({count, held, std::uint64_t{0xFFFF'FFFE}}));
    out.components_ = layout.components;
    out.has_w_ = layout.has_w;
    out.places_ = layout.places.empty() ? nullptr : layout.places.data();
    out.key_ = source.key();
    return out;
}

LoadResult<DoubleSource> Sources::doubles(io::XmlNode source)
{
    auto rounded = floats(source);
    if (!rounded) return std::unexpected(rounded.error());
    DoubleSource out;
    if (rounded->components() == 0) return out;
    const io::XmlNode array = array_of(source);
    const auto [known, is_new] = doubles_.try_emplace(array.key());
    if (is_new) {
        known->second.resize(rounded->array_->size());
        read_into(array.text(), known->second);
    }
    out.source_ = *rounded;
    out.values_ = &known->second;
    return out;
}

std::vector<std::string_view> Sources::names(io::XmlNode source)
{
    std::vector<std::string_view> all = read_names(array_of(source).text());
    const io::XmlNode accessor = accessor_of(source);
    const std::uint64_t stride = number_attribute(accessor, "stride", 1);
    const std::uint64_t offset = number_attribute(accessor, "offset", 0);
    const std::uint64_t count = number_attribute(accessor, "count", all.size());
    if (stride <= 1 && offset == 0 && count >= all.size()) return all;
    std::vector<std::string_view> walked;
    for (std::uint64_t i = offset; i < all.size() && walked.size() < count;
         i += std::max<std::uint64_t>(stride, 1))
        walked.push_back(all[static_cast<std::size_t>(i)]);
    return walked;
}

bool Sources::holds_ids(io::XmlNode source) const
{
    return source.child("IDREF_array").exists() || source.child("SIDREF_array").exists();
}

} // namespace vitrine::dae
