#pragma once
// XML text as a tree (parsed by pugixml); all XML input of the loaders is read here. Names omit their
// namespace prefix. Long ranges of plain text (number arrays) are not copied: text() of them is a view of the
// given bytes, which must outlive the document; other text refers to the document. The byte after any text()
// is never part of a number, so number scanners need no end check. A missing element is absent, and so are
// all look-ups in it.
//
// Entities: the five of XML, character references and entities declared by the document itself, within a
// limit. Others are kept as written: external document types and entities are not opened.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace pugi {
struct xml_node_struct;
}

namespace vitrine::io {

struct XmlTree; // owned by a document; has a stable address

// A view of one element; valid as long as its XmlDocument.
class XmlNode {
public:
    XmlNode() = default;
    XmlNode(const XmlTree* tree, pugi::xml_node_struct* node) : tree_(tree), node_(node) {}

    bool exists() const { return node_ != nullptr; }
    bool operator==(const XmlNode& other) const { return node_ == other.node_; }
    const void* key() const { return node_; }     // key for maps
    const XmlTree* tree() const { return tree_; } // tree of the document that contains it

    std::string_view name() const;
    bool is(std::string_view local_name) const { return name() == local_name; }
    // Searches the first 256 attributes of an element. Returns the value without surrounding white space, as
    // XML Schema defines for all types except plain strings (URLs, names, tokens, numbers). Empty if absent.
    std::string_view attribute(std::string_view local_name) const;
    bool has_attribute(std::string_view local_name) const;
    // All direct character data with references and CDATA resolved, without surrounding white space.
    std::string_view text() const;

    // Elements only.
    XmlNode parent() const;
    XmlNode first_child() const;
    XmlNode next_sibling() const;
    XmlNode child(std::string_view local_name) const; // the first of that name
    XmlNode next(std::string_view local_name) const;  // the next sibling of that name

    // "line 12", from 1. Counts the preceding lines, so use it for messages only.
    std::string where() const;

    class Iterator;
    Iterator begin() const;
    Iterator end() const;

private:
    const XmlTree* tree_ = nullptr;
    pugi::xml_node_struct* node_ = nullptr;
};

class XmlNode::Iterator {
public:
    explicit Iterator(XmlNode node) : node_(node) {}
    XmlNode operator*() const { return node_; }
    Iterator& operator++()
    {
        node_ = node_.next_sibling();
        return *this;
    }
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

private:
    XmlNode node_;
};

inline XmlNode::Iterator XmlNode::begin() const
{
    return Iterator(first_child());
}
inline XmlNode::Iterator XmlNode::end() const
{
    return Iterator(XmlNode());
}

class XmlDocument {
public:
    // Reads UTF-8, UTF-16 with or without a mark, and the declared encodings known to code_page.hpp; other
    // text that is not valid UTF-8 is kept unmodified (see io::to_utf8). Errors, `where` is a line:
    // malformed, truncated (the file ends inside an element), limit_exceeded (Limits::depth, file_bytes, the
    // number of elements, the size of expanded entities).
    static LoadResult<XmlDocument> parse(Bytes bytes, const Limits& limits);

    XmlDocument(XmlDocument&&) noexcept;
    XmlDocument& operator=(XmlDocument&&) noexcept;
    ~XmlDocument();

    XmlNode root() const;
    // An invalid second element after the root. Absent in well-formed documents.
    XmlNode content_after_root() const;
    // The declared encoding, if it is unknown and the text is not UTF-8; else empty.
    std::string_view unknown_encoding() const;
    // The first entity that was kept as written, in a document that declares entities; else empty.
    std::string_view unknown_entity() const;

private:
    explicit XmlDocument(std::unique_ptr<XmlTree> tree);

    std::unique_ptr<XmlTree> tree_;
};

} // namespace vitrine::io
