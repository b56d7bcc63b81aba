#pragma once
// JSON text as a flat tree (parsed by simdjson); all JSON input of the loaders is read here. Children of a
// container are contiguous, so indexing is O(1). Strings are unescaped, valid UTF-8. A value knows its
// location, for messages. A missing value is `absent`, and so are all look-ups in it, so that a chain of
// look-ups needs one check at its end.

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

// 40 bytes: a file may have a million.
struct JsonNode {
    struct Children { // first .. first + count
        std::uint32_t first;
        std::uint32_t count;
    };
    struct Text {
        const char* data;
        std::uint64_t size;
    };
    union Value {
        Children children{}; // of arrays and objects
        bool boolean;
        double number;
        Text string;
    };

    JsonType type = JsonType::absent;
    std::uint32_t parent = 0;
    // in a large object: the nth child stores the child with the nth key in sorted order
    std::uint32_t by_key = 0;
    std::uint32_t key_size = 0;
    const char* key_data = nullptr; // if in an object
    Value value;

    bool is_container() const { return type == JsonType::array || type == JsonType::object; }
    std::uint32_t first_child() const { return is_container() ? value.children.first : 0; }
    std::uint32_t child_count() const { return is_container() ? value.children.count : 0; }
    std::string_view key() const { return {key_data, key_size}; }
    std::string_view string() const { return {value.string.data, value.string.size}; }
};

// In objects of more members these are found by binary search: a file may look up a million members of one.
inline constexpr std::uint32_t binary_search_min_members = 16;

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
    // Integers up to 2^53, also if written as 5.0 or 5e0.
    std::optional<std::uint64_t> unsigned_integer() const;
    std::optional<std::string_view> string() const;

    // Number of members or elements; 0 for values that are not containers.
    std::uint32_t size() const { return nodes_ == nullptr ? 0 : node().child_count(); }
    JsonValue operator[](std::uint32_t index) const;
    // The last member of that name, as in JavaScript. O(log n) in large objects.
    JsonValue operator[](std::string_view key) const;
    // The name of this value in its object.
    std::string_view key() const { return nodes_ == nullptr ? std::string_view() : node().key(); }

    // JSON pointer (RFC 6901), "" for the root.
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
    Iterator begin() const { return {nodes_, nodes_ == nullptr ? 0 : node().first_child()}; }
    Iterator end() const
    {
        return {nodes_, nodes_ == nullptr ? 0 : node().first_child() + node().child_count()};
    }

private:
    const JsonNode& node() const { return nodes_[index_]; }
    JsonValue find_sorted(std::string_view key) const;

    const JsonNode* nodes_ = nullptr;
    std::uint32_t index_ = 0;
};

class JsonDocument {
public:
    // Parses UTF-8 with or without a byte order mark. Errors: malformed (not JSON, not UTF-8, a number
    // outside the range of a double; `where` is the line and column, or the byte), limit_exceeded
    // (Limits::depth, file_bytes, the number of values).
    static LoadResult<JsonDocument> parse(Bytes whole, const Limits& limits);

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    JsonValue root() const { return {nodes_.data(), 0}; }
    // Pointer of the first duplicate member of an object; empty if there is none.
    const std::string& duplicate_key() const { return duplicate_key_; }
    // Location of the first escape that is an unpaired surrogate; these are replaced by U+FFFD. Empty if
    // there is none.
    const std::string& lone_surrogate() const { return lone_surrogate_; }

private:
    struct Text; // storage that the strings refer to
    JsonDocument();

    std::unique_ptr<Text> text_;
    std::vector<JsonNode> nodes_;
    std::string duplicate_key_;
    std::string lone_surrogate_;
};

// libsimdjson is loaded when JSON is parsed first (simdjson_library.cpp). It brings the shared C++ library,
// and binding the symbols of both takes longer than loading a small model; only glTF files contain JSON.
//
// Loads libsimdjson, if it was not. A process that may open no files later calls this before; JsonDocument
// does otherwise. Returns false if it is not installed.
bool load_simdjson_library();

} // namespace vitrine::io
