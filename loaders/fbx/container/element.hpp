#pragma once
// An FBX file as a tree of elements, the same for the binary and the text container. An element has a name, a
// list of values (integers, reals, strings, possibly one large array) and children. Nothing is copied: names,
// strings and arrays point into the file's bytes, which must outlive the tree. Arrays are decoded on demand.
//
// Element is a view and cheap to copy. A missing element is `absent`; looking up its children yields absent
// elements again, so a chain of look-ups needs one check at the end.

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/input.hpp"

namespace vitrine::fbx {

// One scalar. Conversions never fail: a value that cannot be converted reads as 0 or "".
class Value {
public:
    enum class Type : std::uint8_t { none, integer, real, text, word };

    Value() = default;
    explicit Value(std::int64_t integer) : type_(Type::integer), integer_(integer) {}
    explicit Value(double real) : type_(Type::real), real_(real) {}
    explicit Value(std::string_view text)
        : type_(Type::text), size_(static_cast<std::uint32_t>(text.size())), text_(text.data())
    {
    }
    // An unquoted word of the text container: `Shading: T`, the letters of keys.
    static Value bare_word(std::string_view word)
    {
        Value value(word);
        value.type_ = Type::word;
        return value;
    }

    Type type() const { return type_; }
    bool is_number() const { return type_ == Type::integer || type_ == Type::real; }
    bool is_text() const { return type_ == Type::text || type_ == Type::word; }
    bool is_bare_word() const { return type_ == Type::word; }

    std::int64_t integer() const; // reals are truncated and saturated
    double real() const;
    // Also for bare words and raw bytes.
    std::string_view text() const { return is_text() ? std::string_view(text_, size_) : std::string_view(); }

private:
    Type type_ = Type::none;
    std::uint32_t size_ = 0;
    union {
        std::int64_t integer_ = 0;
        double real_;
        const char* text_;
    };
};

// How the bytes of a list of values are stored.
enum class Storage : std::uint8_t {
    none,
    array,    // binary: numbers of one type, not compressed
    deflated, // binary: numbers of one type, zlib-compressed
    list,     // binary: scalars, each preceded by its type letter
    text,     // text container: numbers separated by commas
};

struct ElementNode {
    std::string_view name;
    Bytes bytes;             // of the array or of the whole list of values
    std::uint64_t count = 0; // values in `bytes` as declared, at most as many as the bytes can hold
    std::uint32_t first_value = 0;
    std::uint32_t value_count = 0; // stored in ElementTree::values: the first few values of a long list
    std::uint32_t next = 0;        // index of the next sibling; 0: no sibling
    bool has_children = false;     // the first child is the next node in ElementTree::nodes
    Storage storage = Storage::none;
    char type = 0; // element type of Storage::array and deflated: f d l i b c
};

struct ElementTree {
    std::vector<ElementNode> nodes; // [0] is the root; children come after their parent
    std::vector<Value> values;
    std::deque<std::string> texts; // strings with resolved escapes
    Bytes file;
    std::uint32_t version = 0; // 5000 .. 7700
    bool is_text = false;
    bool big_endian = false;
    bool lacks_end = false; // the file ends where another element could start
    std::uint64_t max_array_count =
        0; // limit for one array(); all calls together are limited to twice this number
    mutable std::uint64_t numbers_read = 0;
    // Number of line ends before each block of a text file. Computed on the first place query, because a
    // hostile file can cause a million warnings with a place.
    mutable std::vector<std::uint64_t> lines_before{};
    mutable char line_end = '\n'; // '\r' alone in classic Mac OS files
    // The first child of each name, sorted by name, for elements with many children. A curve with a hundred
    // thousand children may be queried by as many models.
    using NamedChild = std::pair<std::string_view, std::uint32_t>;
    mutable std::unordered_map<std::uint32_t, std::vector<NamedChild>> children_by_name{};
};

class Element {
public:
    Element() = default;
    Element(const ElementTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}

    bool exists() const { return tree_ != nullptr; }
    std::string_view name() const { return exists() ? node().name : std::string_view(); }
    std::uint32_t index() const { return index_; } // in ElementTree::nodes

    // The first values are stored inline; longer lists are read by read_values() or as an array.
    static constexpr std::uint32_t max_inline_values = 16;
    std::uint32_t value_count() const { return exists() ? node().value_count : 0; }
    Value operator[](std::uint32_t index) const;

    // Returns the first child with that name.
    Element operator[](std::string_view child) const;
    // Return the first value of that child; `fallback` when there is no such value.
    std::int64_t integer(std::string_view child, std::int64_t fallback = 0) const;
    double real(std::string_view child, double fallback = 0.0) const;
    std::string_view text(std::string_view child) const;

    // Returns the declared number of values of an array or list; 0 without one.
    std::uint64_t array_count() const { return exists() ? node().count : 0; }
    // Returns all numbers of the array or list, converted to T: float, double, std::int32_t, std::int64_t, or
    // std::uint32_t with the same bits as std::int32_t. Text arrays may contain more or fewer values than
    // declared. Errors: malformed, truncated, with the place.
    template <class T>
    LoadResult<std::vector<T>> array() const;
    // Returns the floats in groups of three; an incomplete last group is dropped.
    LoadResult<std::vector<glm::vec3>> points() const;
    // Returns every value of a list of mixed types (keys of version 6).
    LoadResult<std::vector<Value>> all_values() const;

    // "byte 1234" or "line 12".
    std::string location() const;

    class Iterator {
    public:
        Iterator(const ElementTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}
        Element operator*() const { return {tree_, index_}; }
        Iterator& operator++()
        {
            index_ = tree_->nodes[index_].next;
            return *this;
        }
        bool operator==(const Iterator&) const = default;

    private:
        const ElementTree* tree_;
        std::uint32_t index_;
    };
    Iterator begin() const { return {tree_, exists() && node().has_children ? index_ + 1 : 0}; }
    Iterator end() const { return {tree_, 0}; }

private:
    LoadResult<void> count_numbers() const; // checks the decoded count against the limits
    Element find_in_index(std::string_view child) const;
    const ElementNode& node() const { return tree_->nodes[index_]; }

    const ElementTree* tree_ = nullptr;
    std::uint32_t index_ = 0;
};

// Errors: truncated, malformed, limit_exceeded (Limits::depth, the number of elements), unsupported, empty.
LoadResult<ElementTree> parse_elements(Bytes file, const Limits& limits);

// "Kaydara FBX Binary" or a text that starts with "; FBX".
bool is_fbx(Bytes file);

} // namespace vitrine::fbx
