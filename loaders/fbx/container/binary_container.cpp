// The binary container: magic and version, then a tree of records, each with its end offset, values and
// children. Counts have 32 bits below version 7500, 64 bits from it on. Some programs write big-endian files.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "loaders/fbx/container/binary_values.hpp"
#include "loaders/fbx/container/container.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

constexpr std::string_view magic = "Kaydara FBX Binary  ";
constexpr std::size_t endian_offset = 22;
constexpr std::size_t version_offset = 23;
constexpr std::size_t records_offset = 27;

struct Record {
    std::uint64_t end = 0;
    std::uint64_t value_count = 0;
    std::uint64_t value_bytes = 0;
    std::string_view name;
    bool is_null() const { return end == 0 && name.empty(); }
};

class BinaryParser {
public:
    BinaryParser(ElementTree& tree, const Limits& limits)
        : tree_(tree), limits_(limits), in_(tree.file, tree.big_endian)
    {
    }

    LoadResult<void> run();

private:
    Record read_record();
    void add_element(const Record& record);
    void read_values(ElementNode& node, const Record& record);
    void close_ended();
    void reject(LoadErrc code, std::string detail);

    ElementTree& tree_;
    const Limits& limits_;
    ValueReader in_;
    std::vector<OpenElement> open_;
    std::uint64_t record_at_ = 0;
    std::optional<LoadError> error_;
};

void BinaryParser::reject(LoadErrc code, std::string detail)
{
    if (!error_) error_ = LoadError{code, fmt::format("byte {}", record_at_), std::move(detail)};
}

Record BinaryParser::read_record()
{
    Record record;
    record_at_ = in_.position();
    const bool wide = tree_.version >= 7500;
    const auto number = [&] { return wide ? in_.read<std::uint64_t>() : in_.read<std::uint32_t>(); };
    record.end = number();
    record.value_count = number();
    record.value_bytes = number();
    record.name = in_.read_text(in_.read<std::uint8_t>());
    if (in_.failed()) reject(LoadErrc::truncated, "the file ends inside an element");
    return record;
}

// Records the location of a list of scalars or of an array without decoding it.
void BinaryParser::read_values(ElementNode& node, const Record& record)
{
    const std::uint64_t first = in_.position();
    node.first_value = static_cast<std::uint32_t>(tree_.values.size());
    const std::uint64_t inline_count =
        std::min<std::uint64_t>(record.value_count, Element::max_inline_values);
    for (std::uint64_t i = 0; i < inline_count && !in_.failed(); ++i) {
        if (in_.next_is_array()) {
            const ArrayHeader array = in_.read_array_header();
            if (node.storage != Storage::none) continue;
            node.storage = array.deflated ? Storage::deflated : Storage::array;
            node.type = array.type;
            node.count = array.count;
            node.bytes = array.bytes;
            continue;
        }
        tree_.values.push_back(in_.read_value());
    }
    node.value_count = static_cast<std::uint32_t>(tree_.values.size()) - node.first_value;
    if (in_.failed()) {
        return reject(in_.unknown_type() != 0 ? LoadErrc::malformed : LoadErrc::truncated,
                      fmt::format("the values of {} cannot be read", io::shown(node.name)));
    }
    if (node.storage != Storage::none || record.value_count == 0) return;
    node.storage = Storage::list;
    node.bytes = tree_.file.subspan(first, record.value_bytes);
    node.count = std::min(record.value_count, record.value_bytes / 2); // a scalar takes at least two bytes
}

void BinaryParser::add_element(const Record& record)
{
    const std::uint64_t values_end = in_.position() + record.value_bytes;
    const std::uint64_t parent_end = open_.back().end;
    if (record.value_bytes > parent_end - std::min(parent_end, in_.position()) || record.end > parent_end ||
        (record.end != 0 && record.end < values_end)) {
        const bool beyond = record.end > tree_.file.size();
        return reject(beyond ? LoadErrc::truncated : LoadErrc::malformed,
                      fmt::format("the element {} extends beyond {}", io::shown(record.name),
                                  beyond ? "the file" : "its parent"));
    }
    if (auto deep = nested_too_deep(open_.size(), limits_))
        return reject(deep->code, std::move(deep->detail));
    if (tree_.nodes.size() >= max_elements)
        return reject(LoadErrc::limit_exceeded, fmt::format("there are more than {} elements", max_elements));
    const std::uint32_t index = append_child(tree_, open_.back(), record.name);
    in_.set_end(values_end);
    read_values(tree_.nodes[index], record);
    in_.set_end(tree_.file.size());
    in_.seek(values_end);
    // A record without an end has no children (some old files).
    if (record.end > values_end) open_.push_back({index, 0, record.end});
}

// Children end with a null record; a missing one is accepted.
void BinaryParser::close_ended()
{
    while (open_.size() > 1 && in_.position() >= open_.back().end)
        open_.pop_back();
}

LoadResult<void> BinaryParser::run()
{
    in_.seek(records_offset);
    open_.push_back({0, 0, tree_.file.size()});
    while (!error_) {
        close_ended();
        if (in_.position() >= tree_.file.size()) {
            tree_.lacks_end =
                true; // truncated exactly between two elements, or written without the final null record
            return {};
        }
        const Record record = read_record();
        if (error_) break;
        if (!record.is_null()) {
            add_element(record);
            continue;
        }
        if (open_.size() == 1) return {}; // a footer without content follows
        in_.seek(open_.back().end);
        open_.pop_back();
    }
    return std::unexpected(*error_);
}

} // namespace

std::optional<LoadError> nested_too_deep(std::size_t levels, const Limits& limits)
{
    if (levels > limits.depth)
        return LoadError{LoadErrc::limit_exceeded,
                         {},
                         io::limit_message("the nesting of elements", "depth", limits.depth)};
    if (levels <= max_levels) return {};
    return LoadError{
        LoadErrc::malformed, {}, fmt::format("elements are nested deeper than {} levels", max_levels)};
}

std::uint32_t append_child(ElementTree& tree, OpenElement& parent, std::string_view name)
{
    const auto index = static_cast<std::uint32_t>(tree.nodes.size());
    if (parent.last_child != 0)
        tree.nodes[parent.last_child].next = index;
    else
        tree.nodes[parent.index].has_children = true;
    parent.last_child = index;
    tree.nodes.emplace_back().name = name;
    return index;
}

bool is_binary(Bytes file)
{
    return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).starts_with(magic);
}

LoadResult<void> parse_binary(ElementTree& tree, const Limits& limits)
{
    if (tree.file.size() < records_offset)
        return fail(LoadErrc::truncated, "byte 0", "the file ends inside its header");
    tree.big_endian = tree.file[endian_offset] == std::byte{1};
    ValueReader header(tree.file, tree.big_endian);
    header.seek(version_offset);
    tree.version = header.read<std::uint32_t>();
    if (tree.version < 3000 || tree.version > 99999)
        return fail(LoadErrc::unsupported, fmt::format("byte {}", version_offset),
                    fmt::format("FBX version {} does not exist", tree.version));
    return BinaryParser(tree, limits).run();
}

} // namespace vitrine::fbx
