#include "loaders/fbx/document/document.hpp"

#include "loaders/fbx/document/document_builder.hpp"

namespace vitrine::fbx {
namespace {

int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : -1;
}

} // namespace

std::string unescape_name(std::string_view text)
{
    constexpr std::string_view escape_prefix = "FBXASC";
    std::string out;
    while (true) {
        const std::size_t at = text.find(escape_prefix);
        out += text.substr(0, at);
        if (at == std::string_view::npos) return out;
        text.remove_prefix(at + escape_prefix.size());
        int code = 0;
        bool complete = text.size() >= 3;
        for (std::size_t i = 0; complete && i < 3; ++i) {
            complete = digit_of(text[i]) >= 0;
            code = code * 10 + digit_of(text[i]);
        }
        if (!complete || code > 255) {
            out += escape_prefix;
            continue;
        }
        out.push_back(static_cast<char>(code));
        text.remove_prefix(3);
    }
}

Document::Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

LoadResult<Document> Document::parse(Bytes file, const Limits& limits, io::WarningLog& warnings)
{
    auto tree = parse_elements(file, limits);
    if (!tree) return std::unexpected(tree.error());
    Document document;
    document.tree_ = std::make_unique<ElementTree>(std::move(*tree));
    if (auto built = DocumentBuilder(document, limits, warnings).run(); !built)
        return std::unexpected(built.error());
    return document;
}

std::string Document::decoded(std::string_view text) const
{
    return io::to_utf8(unescape_name(text), encoding_);
}

std::string Document::object_name(std::string_view full_name) const
{
    if (const std::size_t end = full_name.find(std::string_view("\0\1", 2)); end != std::string_view::npos)
        return decoded(full_name.substr(0, end));
    const std::size_t colons = full_name.find("::");
    return decoded(colons == std::string_view::npos ? full_name : full_name.substr(colons + 2));
}

std::uint32_t Document::find_by_full_name(std::string_view full_name) const
{
    const auto found = by_full_name_.find(full_name);
    return found != by_full_name_.end() ? found->second : no_object;
}

std::uint32_t Document::find_by_id(std::int64_t id) const
{
    const auto found = by_id_.find(id);
    return found != by_id_.end() ? found->second : no_object;
}

const ChannelDefaults* Document::channel_defaults(std::uint32_t model) const
{
    const auto found = channel_defaults_.find(model);
    return found != channel_defaults_.end() ? &found->second : nullptr;
}

std::span<const ObjectConnection> Document::sources(std::uint32_t object) const
{
    const std::uint32_t first = first_by_destination_[object];
    return std::span(by_destination_).subspan(first, first_by_destination_[object + 1] - first);
}

std::span<const ObjectConnection> Document::destinations(std::uint32_t object) const
{
    const std::uint32_t first = first_by_source_[object];
    return std::span(by_source_).subspan(first, first_by_source_[object + 1] - first);
}

std::uint32_t Document::source_of_type(std::uint32_t object, ObjectType type, std::string_view property) const
{
    for (const ObjectConnection& connection : sources(object)) {
        if (objects_[connection.source].type == type &&
            (property.empty() || connection.destination_property == property))
            return connection.source;
    }
    return no_object;
}

std::vector<std::uint32_t> Document::objects_of_type(ObjectType type) const
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < objects_.size(); ++i)
        if (objects_[i].type == type) found.push_back(i);
    return found;
}

} // namespace vitrine::fbx
