#include "loaders/io/json/json.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "loaders/io/json/json_error.hpp"
#include "loaders/io/json/json_repair.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::io {
namespace {

namespace dom = simdjson::dom;

// A tree takes about ten times the size of its text; this limits the worst case to 3 GiB.
constexpr std::size_t max_values = 50'000'000;

JsonNode leaf(const dom::element& element)
{
    JsonNode node;
    switch (element.type()) {
    case dom::element_type::ARRAY: node.type = JsonType::array; break;
    case dom::element_type::OBJECT: node.type = JsonType::object; break;
    case dom::element_type::STRING: {
        const std::string_view string = element.get_string().value_unsafe();
        node.type = JsonType::string;
        node.value.string = {string.data(), string.size()};
        break;
    }
    case dom::element_type::BOOL:
        node.type = JsonType::boolean;
        node.value.boolean = element.get_bool().value_unsafe();
        break;
    case dom::element_type::NULL_VALUE: node.type = JsonType::null; break;
    default:
        node.type = JsonType::number;
        node.value.number = element.get_double().value_unsafe();
        break;
    }
    return node;
}

// Queue of simdjson's containers, in the order of their nodes, until their children are copied. Breadth-first
// order makes the children of a container contiguous.
struct Pending {
    dom::element element;
    std::uint32_t node;
};

class Flattener {
public:
    explicit Flattener(std::vector<JsonNode>& nodes) : nodes_(nodes) {}

    bool run(const dom::element& root)
    {
        add(root, 0, {});
        while (!pending_.empty() && nodes_.size() <= max_values) {
            const Pending next = pending_.front();
            pending_.pop_front();
            expand(next);
        }
        return nodes_.size() <= max_values;
    }

private:
    void add(const dom::element& element, std::uint32_t parent, std::string_view key)
    {
        JsonNode& node = nodes_.emplace_back(leaf(element));
        node.parent = parent;
        node.key_data = key.data();
        node.key_size = static_cast<std::uint32_t>(key.size());
        if (node.is_container()) pending_.push_back({element, static_cast<std::uint32_t>(nodes_.size() - 1)});
    }

    void expand(const Pending& container)
    {
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        if (container.element.is_array()) {
            for (const dom::element child : dom::array(container.element.get_array().value_unsafe()))
                add(child, container.node, {});
        } else {
            for (const auto [key, child] : dom::object(container.element.get_object().value_unsafe()))
                add(child, container.node, key);
        }
        nodes_[container.node].value.children = {first, static_cast<std::uint32_t>(nodes_.size() - first)};
    }

    std::vector<JsonNode>& nodes_;
    std::deque<Pending> pending_;
};

// At least the number of values, because each but the first of its container follows a comma; limited,
// because texts may contain commas, too.
std::size_t expected_values(std::string_view text)
{
    constexpr std::size_t max_expected = std::size_t{1} << 19;
    const auto first_values =
        std::ranges::count_if(text, [](char c) { return c == ',' || c == '{' || c == '['; });
    return std::min(static_cast<std::size_t>(first_values) + 1, max_expected);
}

// Stores the order of the keys in the children of a large object. Equal keys keep the order of the text.
void sort_keys(std::vector<JsonNode>& nodes, const JsonNode& object)
{
    std::vector<std::uint32_t> order(object.child_count());
    std::iota(order.begin(), order.end(), object.first_child());
    std::ranges::sort(order, {}, [&](std::uint32_t n) { return std::pair(nodes[n].key(), n); });
    for (std::uint32_t n = 0; n < object.child_count(); ++n)
        nodes[object.first_child() + n].by_key = order[n];
}

// The second of two members with the same name; 0, the root, if there are none.
std::uint32_t find_duplicate(const std::vector<JsonNode>& nodes, const JsonNode& object)
{
    const std::uint32_t begin = object.first_child();
    const std::uint32_t end = begin + object.child_count();
    if (object.child_count() > binary_search_min_members) {
        for (std::uint32_t n = begin + 1; n < end; ++n)
            if (nodes[nodes[n].by_key].key() == nodes[nodes[n - 1].by_key].key()) return nodes[n].by_key;
        return 0;
    }
    for (std::uint32_t n = begin; n < end; ++n)
        for (std::uint32_t m = begin; m < n; ++m)
            if (nodes[m].key() == nodes[n].key()) return n;
    return 0;
}

// Also returns the pointer of the first duplicate member.
std::string index_objects(std::vector<JsonNode>& nodes)
{
    std::uint32_t duplicate = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (nodes[n].type != JsonType::object) continue;
        if (nodes[n].child_count() > binary_search_min_members) sort_keys(nodes, nodes[n]);
        if (duplicate == 0) duplicate = find_duplicate(nodes, nodes[n]);
    }
    return JsonValue(nodes.data(), duplicate).pointer();
}

std::string_view as_view(Bytes text)
{
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

} // namespace

struct JsonDocument::Text {
    dom::parser parser;

    // simdjson reads past the end, so it copies the text into its own padded buffer.
    simdjson::error_code parse(std::string_view text, const Limits& limits, dom::element& root)
    {
        const auto error = parser.allocate(std::max<std::size_t>(text.size(), 64), limits.depth + 1);
        return error != simdjson::SUCCESS ? error : parser.parse(text.data(), text.size(), true).get(root);
    }
};

JsonDocument::JsonDocument() : text_(std::make_unique<Text>()) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

LoadResult<JsonDocument> JsonDocument::parse(Bytes bytes, const Limits& limits)
{
    const std::string_view whole = as_view(bytes);
    const std::size_t mark = byte_order_mark(whole);
    const std::string_view text = whole.substr(mark);
    if (text.size() > limits.file_bytes)
        return limit_exceeded_error("", fmt::format("the JSON text of {} bytes", text.size()), "file_bytes",
                                    limits.file_bytes);
    JsonDocument document;
    dom::element root;
    simdjson::error_code error = document.text_->parse(text, limits, root);
    const bool mendable = error == simdjson::STRING_ERROR || error == simdjson::NUMBER_ERROR;
    if (mendable && find_json_error(text) == text.npos) {
        const RepairedJson repaired = repair_json(text);
        error = document.text_->parse(repaired.text, limits, root);
        if (repaired.lone_surrogate != text.npos)
            document.lone_surrogate_ = line_and_column(whole, mark + repaired.lone_surrogate);
    }
    if (error != simdjson::SUCCESS) return std::unexpected(to_load_error(error, whole, limits));
    document.nodes_.reserve(expected_values(text));
    if (!Flattener(document.nodes_).run(root))
        return fail(LoadErrc::limit_exceeded, "",
                    fmt::format("the JSON text has more than {} values", max_values));
    document.duplicate_key_ = index_objects(document.nodes_);
    return document;
}

std::string_view to_string(JsonType type)
{
    switch (type) {
    case JsonType::null: return "null";
    case JsonType::boolean: return "a boolean";
    case JsonType::number: return "a number";
    case JsonType::string: return "a string";
    case JsonType::array: return "an array";
    case JsonType::object: return "an object";
    default: return "nothing";
    }
}

} // namespace vitrine::io
