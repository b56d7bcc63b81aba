#pragma once
// An FBX file as a tree of elements, the same for the binary and the text container: a name, a list of values
// (integers, numbers, texts, perhaps one large array), children. Nothing is copied: names, texts and arrays
// point into the file's bytes, which must outlive the tree. Arrays are decoded when they are asked for.
//
// Element is a view and cheap to copy. One that is not there is `absent`: looking further into it stays
// absent, so that a chain of look-ups needs one check at its end.

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

// One scalar. Conversions never fail: what is none reads as 0 or "".
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
    // A text that the text container has without quotes: `Shading: T`, the letters of keys.
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

    std::int64_t integer() const; // reals are truncated, saturating
    double real() const;
    // Also bare words and raw bytes.
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
    array,    // binary: plain numbers of one type
    deflated, // binary: the same, zlib
    list,     // binary: scalars, each with its type before it
    text,     // text container: numbers between commas
};

struct ElementNode {
    std::string_view name;
    Bytes bytes;             // of the array, or of the whole list of values
    std::uint64_t count = 0; // values in `bytes` as announced, never more than they can hold
    std::uint32_t first_value = 0;
    std::uint32_t value_count = 0; // kept in ElementTree::values: the first few of a long list
    std::uint32_t next = 0;        // sibling; 0: none
    bool has_children = false;     // the first one is the next node
    Storage storage = Storage::none;
    char type = 0; // of Storage::array and deflated: f d l i b c
};

struct ElementTree {
    std::vector<ElementNode> nodes; // [0] is the file itself; a child stands behind its parent
    std::vector<Value> values;
    std::deque<std::string> texts; // whose escapes had to be resolved
    Bytes file;
    std::uint32_t version = 0; // 5000 .. 7700
    bool is_text = false;
    bool big_endian = false;
    bool lacks_end = false;            // the file ends where another element might come
    std::uint64_t max_array_count = 0; // what one array() refuses to exceed, and all together twice
    mutable std::uint64_t numbers_read = 0;
    // Line ends before each block of a text, made when the first place is asked for: a hostile file has a
    // million places to warn of.
    mutable std::vector<std::uint64_t> lines_before{};
    mutable char line_end = '\n'; // '\r' alone in files of the old Macintosh
    // The first child of each name, by name: of elements with many children that are asked for one. A curve
    // of a hundred thousand may be asked by as many models.
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

    // The first values; a longer list is read by read_values() or as an array.
    static constexpr std::uint32_t max_inline_values = 16;
    std::uint32_t value_count() const { return exists() ? node().value_count : 0; }
    Value operator[](std::uint32_t index) const;

    // The first child of that name.
    Element operator[](std::string_view child) const;
    // Its n-th value; `fallback` where there is none.
    std::int64_t integer(std::string_view child, std::int64_t fallback = 0) const;
    double real(std::string_view child, double fallback = 0.0) const;
    std::string_view text(std::string_view child) const;

    // Values of an array or list as announced; 0 where there is none.
    std::uint64_t array_count() const { return exists() ? node().count : 0; }
    // All numbers of the array or list, converted to T: float, double, std::int32_t, std::int64_t, or
    // std::uint32_t with the same bits as std::int32_t. Text arrays may hold more or fewer than announced.
    // Errors: malformed, truncated, with the place.
    template <class T>
    LoadResult<std::vector<T>> array() const;
    // The same floats in threes; what is left of a third is not there.
    LoadResult<std::vector<glm::vec3>> points() const;
    // Every value of a list of mixed kinds (keys of version 6).
    LoadResult<std::vector<Value>> all_values() const;

    // "byte 1234" or "line 12".
    std::string place() const;

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
    LoadResult<void> count_numbers() const; // against the limits
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
