#include "loaders/fbx/container/element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loaders/fbx/container/container.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {

std::int64_t Value::integer() const
{
    if (type_ == Type::integer) return integer_;
    if (type_ != Type::real || std::isnan(real_)) return 0;
    if (real_ >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
    if (real_ <= -0x1p63) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(real_);
}

double Value::real() const
{
    if (type_ == Type::real) return real_;
    return type_ == Type::integer ? static_cast<double>(integer_) : 0.0;
}

Value Element::operator[](std::uint32_t index) const
{
    return index < value_count() ? tree_->values[node().first_value + index] : Value();
}

Element Element::operator[](std::string_view child) const
{
    std::size_t left = 64; // searched linearly; almost all elements have fewer children
    for (const Element element : *this) {
        if (left-- == 0) return find_in_index(child);
        if (element.name() == child) return element;
    }
    return {};
}

Element Element::find_in_index(std::string_view child) const
{
    const auto [known, is_new] = tree_->children_by_name.try_emplace(index_);
    auto& children = known->second;
    if (is_new) {
        for (const Element element : *this)
            children.emplace_back(element.name(), element.index());
        std::ranges::sort(children); // indices ascend in file order
        const auto repeated = std::ranges::unique(children, {}, &ElementTree::NamedChild::first);
        children.erase(repeated.begin(), repeated.end());
        children.shrink_to_fit();
    }
    const auto found = std::ranges::lower_bound(children, child, {}, &ElementTree::NamedChild::first);
    return found != children.end() && found->first == child ? Element(tree_, found->second) : Element();
}

std::int64_t Element::integer(std::string_view child, std::int64_t fallback) const
{
    const Value value = (*this)[child][0u];
    return value.is_number() ? value.integer() : fallback;
}

double Element::real(std::string_view child, double fallback) const
{
    const Value value = (*this)[child][0u];
    return value.is_number() ? value.real() : fallback;
}

std::string_view Element::text(std::string_view child) const
{
    return (*this)[child][0u].text();
}

std::string Element::location() const
{
    if (!exists()) return {};
    if (node().name.data() == nullptr) return "an element without a name";
    return location_of(*tree_, node().name.data());
}

std::string location_of(const ElementTree& tree, const char* at)
{
    constexpr std::size_t lines_block_bytes = 4096;
    const char* const first = reinterpret_cast<const char*>(tree.file.data());
    const auto offset = static_cast<std::size_t>(at - first);
    if (!tree.is_text) return fmt::format("byte {}", offset);
    const auto line_ends = [&](std::size_t from, std::size_t to) {
        return static_cast<std::uint64_t>(std::count(first + from, first + to, tree.line_end));
    };
    if (tree.lines_before.empty()) {
        const bool feeds = std::find(first, first + tree.file.size(), '\n') != first + tree.file.size();
        tree.line_end = feeds ? '\n' : '\r';
        std::uint64_t lines = 0;
        for (std::size_t from = 0; from < tree.file.size(); from += lines_block_bytes) {
            tree.lines_before.push_back(lines);
            lines += line_ends(from, std::min(from + lines_block_bytes, tree.file.size()));
        }
        tree.lines_before.push_back(lines); // for positions past the last byte
    }
    const std::size_t of_block = std::min(offset / lines_block_bytes, tree.lines_before.size() - 1);
    return fmt::format("line {}", 1 + tree.lines_before[of_block] +
                                      line_ends(std::min(of_block * lines_block_bytes, offset), offset));
}

bool is_fbx(Bytes file)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()),
                                std::min<std::size_t>(file.size(), 64));
    return text.starts_with("Kaydara FBX Binary") || text.starts_with("; FBX ") ||
           text.starts_with("\xEF\xBB\xBF; FBX ");
}

LoadResult<ElementTree> parse_elements(Bytes file, const Limits& limits)
{
    if (file.size() > limits.file_bytes)
        return io::limit_exceeded_error({}, fmt::format("the file of {} bytes", file.size()), "file_bytes",
                                        limits.file_bytes);
    ElementTree tree;
    tree.file = file;
    tree.max_array_count = std::max(
        {3 * limits.vertices, limits.indices, limits.influences, limits.key_values, 3 * limits.morph_deltas});
    tree.nodes.emplace_back();
    const bool binary = is_binary(file);
    tree.is_text = !binary;
    const auto parsed = binary ? parse_binary(tree, limits) : parse_text(tree, limits);
    if (!parsed) return std::unexpected(parsed.error());
    if (tree.nodes.size() == 1) return fail(LoadErrc::empty, {}, "the file is empty after its header");
    return tree;
}

} // namespace vitrine::fbx
