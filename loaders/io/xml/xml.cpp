#include "loaders/io/xml/xml.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "loaders/base/ascii.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/io/xml/xml_lexer.hpp"
#include "loaders/io/xml/xml_text.hpp"

namespace vitrine::io {

struct XmlTree {
    XmlText source;
    std::string expanded;  // the text with its entities expanded, if any
    std::string_view text; // the input in UTF-8, or with its entities expanded
    std::string unknown_entity;
    CompactXml compact; // the parser's copy, modified in place
    pugi::xml_document document;
    mutable std::unordered_map<const void*, std::string> joined; // by element: concatenated pieces of text

    std::string_view resolve(const char* value) const;
};

namespace {

// Per element. No schema has a tenth of this; a hostile file could make each look-up search thousands.
constexpr int max_attributes = 256;

constexpr unsigned flags =
    pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol | pugi::parse_embed_pcdata;

std::string_view local(const char* name)
{
    const std::string_view qualified_name(name);
    const std::size_t colon = qualified_name.find(':');
    return colon == std::string_view::npos ? qualified_name : qualified_name.substr(colon + 1);
}

pugi::xml_attribute attribute_of(pugi::xml_node_struct* node, std::string_view local_name)
{
    pugi::xml_attribute at = pugi::xml_node(node).first_attribute();
    for (int looks = 0; at && looks < max_attributes; ++looks, at = at.next_attribute())
        if (local(at.name()) == local_name) return at;
    return {};
}

XmlNode element_from(const XmlTree* tree, pugi::xml_node node)
{
    while (node && node.type() != pugi::node_element)
        node = node.next_sibling();
    return node ? XmlNode(tree, node.internal_object()) : XmlNode();
}

// If the text is truncated, the location is the start of the unterminated part.
LoadError to_error(const pugi::xml_parse_result& result, const XmlTree& tree)
{
    if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
    const auto& [copy, elided, cut_at, open] = tree.compact;
    const auto in_copy = static_cast<std::size_t>(std::max(result.offset, std::ptrdiff_t{0}));
    const bool ends_early = in_copy + 1 >= copy.size();
    const std::size_t at = tree.compact.offset_in_text(in_copy);
    if (cut_at && ends_early)
        return {LoadErrc::truncated, line_of(tree.text, *cut_at), "the XML ends inside markup"};
    if (cut_at && at >= *cut_at)
        return {LoadErrc::malformed, line_of(tree.text, *cut_at),
                "markup is not terminated; a quote may be missing or superfluous"};
    if (ends_early && !open.empty())
        return {LoadErrc::truncated, line_of(tree.text, open.back()),
                "the XML ends before an element is closed"};
    if (const std::size_t nul = tree.text.find('\0'); nul <= at)
        return {LoadErrc::malformed, line_of(tree.text, nul), "the XML contains a null character"};
    const std::string where = line_of(tree.text, at);
    if (result.status == pugi::status_no_document_element)
        return {LoadErrc::malformed, where, "the text has no XML element"};
    if (result.status == pugi::status_end_element_mismatch)
        return {LoadErrc::malformed, where, "a closing tag does not match the open element"};
    return {LoadErrc::malformed, where, "the text is not well-formed XML"};
}

} // namespace

std::string_view XmlTree::resolve(const char* value) const
{
    const std::string& copy = compact.copy;
    const auto offset = static_cast<std::size_t>(value - copy.data());
    if (value < copy.data() || offset >= copy.size()) return value;
    const auto found = std::ranges::lower_bound(compact.elided, offset, {}, &ElidedText::at);
    if (found != compact.elided.end() && found->at == offset) return found->text;
    return value;
}

std::string_view XmlNode::name() const
{
    return node_ == nullptr ? std::string_view() : local(pugi::xml_node(node_).name());
}

std::string_view XmlNode::attribute(std::string_view local_name) const
{
    return ascii::trimmed(attribute_of(node_, local_name).value());
}

bool XmlNode::has_attribute(std::string_view local_name) const
{
    return static_cast<bool>(attribute_of(node_, local_name));
}

// The parser stores the first piece in the element itself and creates a node for every further piece.
std::string_view XmlNode::text() const
{
    const pugi::xml_node node(node_);
    std::string_view only = tree_ == nullptr ? std::string_view() : tree_->resolve(node.value());
    std::string* joined = nullptr;
    for (pugi::xml_node piece = node.first_child(); piece; piece = piece.next_sibling()) {
        if (piece.type() != pugi::node_pcdata && piece.type() != pugi::node_cdata) continue;
        const std::string_view more = tree_->resolve(piece.value());
        if (ascii::trimmed(only).empty()) {
            only = more;
            continue;
        }
        if (joined == nullptr) {
            const auto [entry, is_new] = tree_->joined.try_emplace(node_, only);
            if (!is_new) return ascii::trimmed(entry->second);
            joined = &entry->second;
        }
        joined->append(more);
        only = *joined;
    }
    return ascii::trimmed(only);
}

XmlNode XmlNode::parent() const
{
    const pugi::xml_node parent = pugi::xml_node(node_).parent();
    return parent.type() == pugi::node_element ? XmlNode(tree_, parent.internal_object()) : XmlNode();
}

XmlNode XmlNode::first_child() const
{
    return element_from(tree_, pugi::xml_node(node_).first_child());
}

XmlNode XmlNode::next_sibling() const
{
    return element_from(tree_, pugi::xml_node(node_).next_sibling());
}

XmlNode XmlNode::child(std::string_view local_name) const
{
    XmlNode found = first_child();
    return !found.exists() || found.is(local_name) ? found : found.next(local_name);
}

XmlNode XmlNode::next(std::string_view local_name) const
{
    XmlNode found = next_sibling();
    while (found.exists() && !found.is(local_name))
        found = found.next_sibling();
    return found;
}

std::string XmlNode::where() const
{
    if (node_ == nullptr) return {};
    const auto offset = pugi::xml_node(node_).offset_debug();
    if (offset < 0) return {};
    return line_of(tree_->text, tree_->compact.offset_in_text(static_cast<std::size_t>(offset)));
}

LoadResult<XmlDocument> XmlDocument::parse(Bytes bytes, const Limits& limits)
{
    if (bytes.size() > limits.file_bytes)
        return limit_exceeded_error({}, fmt::format("the XML text of {} bytes", bytes.size()), "file_bytes",
                                    limits.file_bytes);
    auto tree = std::make_unique<XmlTree>();
    read_xml_text(bytes, tree->source);
    tree->text = tree->source.text;
    auto expanded = expand_entities(tree->text, limits);
    if (!expanded) return std::unexpected(expanded.error());
    if (*expanded) {
        tree->expanded = std::move((*expanded)->text);
        tree->text = tree->expanded;
        tree->source.storage = {};
        tree->unknown_entity = std::move((*expanded)->unknown);
    }
    auto compact = compact_xml(tree->text, limits.depth);
    if (!compact) return std::unexpected(compact.error());
    tree->compact = std::move(*compact);
    std::string& copy = tree->compact.copy;
    const auto result =
        tree->document.load_buffer_inplace(copy.data(), copy.size(), flags, pugi::encoding_utf8);
    if (!result) return std::unexpected(to_error(result, *tree));
    return XmlDocument(std::move(tree));
}

XmlDocument::XmlDocument(std::unique_ptr<XmlTree> tree) : tree_(std::move(tree)) {}
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument& XmlDocument::operator=(XmlDocument&&) noexcept = default;
XmlDocument::~XmlDocument() = default;

XmlNode XmlDocument::root() const
{
    return element_from(tree_.get(), tree_->document.first_child());
}

XmlNode XmlDocument::content_after_root() const
{
    return element_from(tree_.get(), tree_->document.document_element().next_sibling());
}

std::string_view XmlDocument::unknown_encoding() const
{
    return tree_->source.unknown_encoding;
}

std::string_view XmlDocument::unknown_entity() const
{
    return tree_->unknown_entity;
}

} // namespace vitrine::io
