#pragma once
// JSON text as a flat tree: the only door through which JSON enters a loader (simdjson behind it). Children
// of a container lie side by side, so an index is O(1). Strings are unescaped, valid UTF-8. A value knows its
// place, for messages. A value that is not there is `absent`: looking further into it stays absent, so a
// chain of look-ups needs one check at its end.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::io {

enum class JsonType : std::uint8_t { absent, null, boolean, number, string, array, object };

// "a number", "an array": for messages.
std::string_view to_string(JsonType type);

struct JsonNode {
    JsonType type = JsonType::absent;
    bool boolean = false;
    std::uint32_t parent = 0;
    std::uint32_t first_child = 0; // children are first_child .. first_child + child_count
    std::uint32_t child_count = 0;
    std::uint32_t by_key = 0; // in a large object: the n-th child holds here the child with the n-th key
    double number = 0.0;
    std::string_view key; // in an object
    std::string_view string;
};

// A view of one value; valid as long as its JsonDocument.
class JsonValue {
public:
    JsonValue() = default;
    JsonValue(const JsonNode* nodes, std::uint32_t index) : nodes_(nodes), index_(index) {}

    JsonType type() const { return nodes_ == nullptr ? JsonType::absent : node().type; }
    bool exists() const { return nodes_ != nullptr; }
    bool is_object() const { return type() == JsonType::object; }
    bool is_array() const { return type() == JsonType::array; }

    std::optional<bool> boolean() const;
    std::optional<double> number() const; // finite
    // Whole numbers of at most 2^53, also written as 5.0 or 5e0.
    std::optional<std::uint64_t> unsigned_integer() const;
    std::optional<std::string_view> string() const;

    // Members of an object or elements of an array; 0 for anything else.
    std::uint32_t size() const { return nodes_ == nullptr ? 0 : node().child_count; }
    JsonValue operator[](std::uint32_t index) const;
    // The last member of that name, as JavaScript has it. In logarithmic time where the object is large.
    JsonValue operator[](std::string_view key) const;
    // The name of this value in the object that holds it.
    std::string_view key() const { return nodes_ == nullptr ? std::string_view() : node().key; }

    // RFC 6901, "" for the root.
    std::string pointer() const;

    class Iterator {
    public:
        Iterator(const JsonNode* nodes, std::uint32_t index) : nodes_(nodes), index_(index) {}
        JsonValue operator*() const { return {nodes_, index_}; }
        Iterator& operator++()
        {
            ++index_;
            return *this;
        }
        bool operator==(const Iterator&) const = default;

    private:
        const JsonNode* nodes_;
        std::uint32_t index_;
    };
    Iterator begin() const { return {nodes_, nodes_ == nullptr ? 0 : node().first_child}; }
    Iterator end() const { return {nodes_, nodes_ == nullptr ? 0 : node().first_child + node().child_count}; }

private:
    const JsonNode& node() const { return nodes_[index_]; }
    JsonValue find_sorted(std::string_view key) const;

    const JsonNode* nodes_ = nullptr;
    std::uint32_t index_ = 0;
};

class JsonDocument {
public:
    // Takes UTF-8 with or without a byte order mark. Errors: malformed (not JSON, not UTF-8, a number beyond
    // the range of a double: `where` is the line and column, or the byte), limit_exceeded (Limits::depth,
    // file_bytes, the number of values).
    static LoadResult<JsonDocument> parse(Bytes whole, const Limits& limits);

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    JsonValue root() const { return {nodes_.data(), 0}; }
    // Pointer of the first member whose name occurs twice in its object; empty when there is none.
    const std::string& duplicate_key() const { return duplicate_key_; }
    // Place of the first escape that is half of a surrogate pair, no character; such become U+FFFD. Empty
    // when there is none.
    const std::string& lone_surrogate() const { return lone_surrogate_; }

private:
    struct Text; // what the strings point into
    JsonDocument();

    std::unique_ptr<Text> text_;
    std::vector<JsonNode> nodes_;
    std::string duplicate_key_;
    std::string lone_surrogate_;
};

} // namespace vitrine::io
