// Formats: https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_xmp_json_ld, and the
// namespaces that its packets name.

#include <algorithm>
#include <string>
#include <utility>

#include "loaders/base/utf8.hpp"
#include "loaders/gltf/document/document.hpp"

namespace vitrine::gltf {
namespace {

constexpr std::string_view xmp_extension = "KHR_xmp_json_ld";

// Namespaces of XMP and the prefixes that packets usually give them.
struct XmpNamespace {
    std::string_view url;
    std::string_view usual_prefix;
};
constexpr XmpNamespace dublin_core{"http://purl.org/dc/elements/1.1/", "dc"};
constexpr XmpNamespace xmp_rights{"http://ns.adobe.com/xap/1.0/rights/", "xmpRights"};
constexpr XmpNamespace model_3d{"https://schema.khronos.org/model3d/xsd/1.0/", "model3d"};

std::string bounded(std::string_view text)
{
    return std::string(truncate_utf8(text, scene::max_declared_bytes));
}

void append_listed(std::string& list, std::string_view text)
{
    if (text.empty() || list.size() >= scene::max_declared_bytes) return;
    if (!list.empty()) list += ", ";
    list += bounded(text);
}

// The text of one value: itself, or with its language.
std::string_view plain_text(io::JsonValue value)
{
    return (value.is_object() ? value["@value"] : value).string().value_or("");
}

// The text of a property: of one value, of a list or set, of the first of several languages.
std::string text_of(io::JsonValue property)
{
    if (const auto first = property["rdf:_1"]; first.exists()) return bounded(plain_text(first));
    io::JsonValue elements = property;
    for (const auto* const key : {"@list", "@set"})
        if (property[key].exists()) elements = property[key];
    if (!elements.is_array()) return bounded(plain_text(elements));
    std::string list;
    for (const io::JsonValue element : elements)
        append_listed(list, plain_text(element));
    return list;
}

// The properties of a packet; all of them are empty if it is absent.
class XmpPacket {
public:
    explicit XmpPacket(io::JsonValue packet) : packet_(packet) {}

    std::string text(const XmpNamespace& space, std::string_view property) const
    {
        std::string name(prefix_of(space));
        return text_of(packet_[name.append(":").append(property)]);
    }

private:
    std::string_view prefix_of(const XmpNamespace& space) const
    {
        for (const io::JsonValue prefix : packet_["@context"])
            if (prefix.string() == space.url) return prefix.key();
        return space.usual_prefix;
    }

    io::JsonValue packet_;
};

// That of `asset`, else that of the scene which is shown.
XmpPacket find_packet(const Document& document)
{
    const auto root = document.root();
    const auto shown = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(root["scene"].unsigned_integer().value_or(0), 0xFFFF'FFFF));
    for (const io::JsonValue holder : {root["asset"], document.list("scenes")[shown]})
        if (const auto index = holder["extensions"][xmp_extension]["packet"].unsigned_integer();
            index && *index < 0xFFFF'FFFF)
            return XmpPacket(
                root["extensions"][xmp_extension]["packets"][static_cast<std::uint32_t>(*index)]);
    return XmpPacket(io::JsonValue());
}

void take_if_empty(std::string& text, std::string&& other)
{
    if (text.empty()) text = std::move(other);
}

// What states the license best: its identifier, else where it can be read, else its terms.
std::string license_of(const XmpPacket& packet)
{
    auto license = packet.text(model_3d, "spdxLicense");
    take_if_empty(license, packet.text(xmp_rights, "WebStatement"));
    take_if_empty(license, packet.text(xmp_rights, "UsageTerms"));
    return license;
}

} // namespace

scene::Attribution read_attribution(const Document& document)
{
    const XmpPacket packet = find_packet(document);
    scene::Attribution found{.title = packet.text(dublin_core, "title"),
                             .author = packet.text(dublin_core, "creator"),
                             .copyright = packet.text(dublin_core, "rights"),
                             .license = license_of(packet),
                             .source = packet.text(dublin_core, "source"),
                             .keywords = packet.text(dublin_core, "subject"),
                             .comment = packet.text(dublin_core, "description")};
    take_if_empty(found.author, packet.text(xmp_rights, "Owner"));
    const io::JsonValue asset = document.root()["asset"];
    take_if_empty(found.copyright, bounded(asset["copyright"].string().value_or("")));
    // As Sketchfab writes them.
    const io::JsonValue extras = asset["extras"];
    for (const auto& [key, member] :
         {std::pair{"title", &scene::Attribution::title}, std::pair{"author", &scene::Attribution::author},
          std::pair{"license", &scene::Attribution::license},
          std::pair{"source", &scene::Attribution::source}})
        take_if_empty(found.*member, bounded(extras[key].string().value_or("")));
    return found;
}

} // namespace vitrine::gltf
