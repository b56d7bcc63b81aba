#pragma once
// XML text as a tree: the only door through which XML enters a loader (pugixml behind it). Names come without
// their namespace prefix. Long runs of plain text, the number arrays that such files consist of, are never
// copied: text() of them is a view into the bytes that were given, which must outlive the document; all other
// text points into the document. What follows the last byte of any text() is never part of a number, so that
// a scanner of numbers needs no end. An element that is not there is absent, and so is all below it.
//
// Entities: the five of XML, character references and those that the document itself declares, within a
// bound. Others stay as they are written: no document type and no entity from elsewhere is opened.

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

struct XmlTree; // what a document owns; never moves

// A view of one element; valid as long as its XmlDocument.
class XmlNode {
public:
    XmlNode() = default;
    XmlNode(const XmlTree* tree, pugi::xml_node_struct* node) : tree_(tree), node_(node) {}

    bool exists() const { return node_ != nullptr; }
    bool operator==(const XmlNode& other) const { return node_ == other.node_; }
    const void* key() const { return node_; }     // of maps
    const XmlTree* tree() const { return tree_; } // which document it is of

    std::string_view name() const;
    bool is(std::string_view local_name) const { return name() == local_name; }
    // Of the first 256 of an element, more than any has. Without the white space around it, as XML Schema has
    // it for all types but plain strings (URLs, names, tokens, numbers). Empty where there is none.
    std::string_view attribute(std::string_view local_name) const;
    bool has_attribute(std::string_view local_name) const;
    // All characters directly inside, references and CDATA resolved, without the white space around them.
    std::string_view text() const;

    // Elements only.
    XmlNode parent() const;
    XmlNode first_child() const;
    XmlNode next_sibling() const;
    XmlNode child(std::string_view local_name) const; // the first of that name
    XmlNode next(std::string_view local_name) const;  // the next sibling of that name

    // "line 12", from 1. Counts the lines before it: for messages only.
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
    // UTF-8, UTF-16 with or without its mark, and the encodings of one and two bytes that code_page.hpp
    // knows, by their declaration; other text that is not valid UTF-8 stays as it is (io::to_utf8).
    // Errors, `where` a line: malformed, truncated (the file ends inside an element), limit_exceeded
    // (Limits::depth, file_bytes, the number of elements, what entities grow to).
    static LoadResult<XmlDocument> parse(Bytes bytes, const Limits& limits);

    XmlDocument(XmlDocument&&) noexcept;
    XmlDocument& operator=(XmlDocument&&) noexcept;
    ~XmlDocument();

    XmlNode root() const;
    // XML has one root; an element that follows it nonetheless. Absent in whole documents.
    XmlNode second_root() const;
    // What the document says it is encoded in, where that is not known and the text is no UTF-8; else empty.
    std::string_view unknown_encoding() const;
    // The first entity that stays as it is written, in a document that declares any; empty: none does.
    std::string_view unknown_entity() const;

private:
    explicit XmlDocument(std::unique_ptr<XmlTree> tree);

    std::unique_ptr<XmlTree> tree_;
};

} // namespace vitrine::io
