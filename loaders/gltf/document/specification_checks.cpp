#include "loaders/gltf/document/specification_checks.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/meshopt.hpp"

namespace vitrine::gltf {
namespace {

// Returns whether the member exists and is less than `least` or not a number.
bool is_below(io::JsonValue value, double least)
{
    return value.number().value_or(least) < least;
}

io::JsonValue accessor_of(const Document& document, io::JsonValue member)
{
    const auto index = to_index(member, document.list("accessors").size());
    return index ? document.list("accessors")[*index] : io::JsonValue();
}

// Application-specific names start with an underscore; names of extensions contain the extension's prefix.
bool is_attribute(std::string_view name)
{
    if (name == "POSITION" || name == "NORMAL" || name == "TANGENT") return true;
    if (name.starts_with('_') || name.contains(':')) return true;
    constexpr std::string_view counted[] = {"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"};
    return std::ranges::any_of(counted, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

class ObjectChecker {
public:
    explicit ObjectChecker(Document& document)
        : warnings_(document.warnings()), views_(document.list("bufferViews")),
          buffers_(document.list("buffers").size()), images_(document.list("images").size()),
          samplers_(document.list("samplers").size())
    {
    }

    void check_accessor(io::JsonValue accessor)
    {
        const io::JsonValue type = accessor["componentType"];
        const io::JsonValue view = accessor["bufferView"];
        if (!is_shape(accessor["type"].string().value_or("")) ||
            size_of_component(type.unsigned_integer().value_or(0)) == 0)
            warn("the type or component type does not exist", accessor);
        if (!accessor["count"].exists() || is_below(accessor["count"], 1))
            warn("the accessor has no elements", accessor);
        if (accessor["normalized"].boolean() == true && type.number() == 5126.0)
            warn("FLOAT cannot be normalized; the numbers are read as declared", accessor);
        if (view.exists())
            check_index(view, views_.size());
        else if (accessor["byteOffset"].exists())
            warn("an offset needs a buffer view", accessor);
        check_alignment(accessor, type);
        if (const io::JsonValue sparse = accessor["sparse"]; sparse.exists()) check_sparse(sparse, type);
    }

    void check_view(io::JsonValue view)
    {
        if (meshopt_extension(view).exists()) return; // the view's own buffer is not read
        if (view["buffer"].exists())
            check_index(view["buffer"], buffers_);
        else
            warn("the buffer view has no buffer", view);
        if (!view["byteLength"].exists() || is_below(view["byteLength"], 1))
            warn("the buffer view is empty", view);
        const io::JsonValue stride = view["byteStride"];
        const auto bytes = stride.unsigned_integer().value_or(0);
        if (stride.exists() && (bytes < 4 || bytes > 252 || bytes % 4 != 0))
            warn("the stride is not a multiple of 4 from 4 to 252", view);
    }

    void check_texture(io::JsonValue texture)
    {
        for (const io::JsonValue member : texture) {
            if (member.key() == "source") check_index(member, images_);
            if (member.key() == "sampler") check_index(member, samplers_);
        }
        for (const io::JsonValue extension : texture["extensions"])
            if (const io::JsonValue source = extension["source"]; source.exists())
                check_index(source, images_);
    }

private:
    void check_sparse(io::JsonValue sparse, io::JsonValue type)
    {
        if (is_below(sparse["count"], 1)) warn("sparse values are declared, but there are none", sparse);
        check_alignment(sparse["indices"], sparse["indices"]["componentType"]);
        check_alignment(sparse["values"], type);
    }

    // Components must be at multiples of their size in the buffer view.
    void check_alignment(io::JsonValue part, io::JsonValue component_type)
    {
        const std::uint64_t size = size_of_component(component_type.unsigned_integer().value_or(0));
        if (size <= 1 || !part["bufferView"].exists()) return;
        const auto index = to_index(part["bufferView"], views_.size());
        if (!index) return;
        const io::JsonValue view = views_[*index];
        const auto offset = part["byteOffset"].unsigned_integer().value_or(0);
        const auto in_buffer = offset + view["byteOffset"].unsigned_integer().value_or(0);
        // Compressed data is stored separately.
        const bool aligned =
            offset % size == 0 && (in_buffer % size == 0 || meshopt_extension(view).exists());
        if (!aligned) warn("the offset is not a multiple of the component size", part);
    }

    // Same message as LenientFields: used properties are warned about once.
    void check_index(io::JsonValue value, std::uint64_t count)
    {
        if (const auto index = to_index(value, count); !index)
            warnings_.add("invalid_property", index.error().detail + "; the reference is ignored",
                          value.pointer());
    }

    void warn(const char* message, io::JsonValue where)
    {
        warnings_.add("invalid_accessor", message, where.pointer());
    }

    io::WarningLog& warnings_;
    io::JsonValue views_;
    std::uint64_t buffers_;
    std::uint64_t images_;
    std::uint64_t samplers_;
};

} // namespace

void check_objects(Document& document)
{
    ObjectChecker checker(document);
    for (const io::JsonValue accessor : document.list("accessors"))
        checker.check_accessor(accessor);
    for (const io::JsonValue view : document.list("bufferViews"))
        checker.check_view(view);
    for (const io::JsonValue texture : document.list("textures"))
        checker.check_texture(texture);
}

void check_bounds(Document& document, io::JsonValue member)
{
    const io::JsonValue accessor = accessor_of(document, member);
    if (!accessor.exists() || (accessor["min"].exists() && accessor["max"].exists())) return;
    document.warnings().add("missing_bounds", "the accessor has no min and max", member.pointer());
}

void check_packed(Document& document, io::JsonValue member)
{
    const io::JsonValue view = accessor_of(document, member)["bufferView"];
    const auto index = to_index(view, document.list("bufferViews").size());
    if (index && document.list("bufferViews")[*index]["byteStride"].exists())
        document.warnings().add("invalid_accessor", "indices cannot have a stride", member.pointer());
}

void check_names(Document& document, io::JsonValue attributes)
{
    for (const io::JsonValue attribute : attributes)
        if (!is_attribute(attribute.key()))
            document.warnings().add("invalid_attribute", "the attribute is unknown; it is ignored",
                                    attribute.pointer());
}

void check_scenes(Document& document, const scene::Scene& scene)
{
    const io::JsonValue scenes = document.list("scenes");
    const auto warn = [&](std::string message, io::JsonValue where) {
        document.warnings().add("invalid_node", std::move(message), where.pointer());
    };
    std::vector<std::uint32_t> last_scene(scene.nodes.size(), scene::none); // last scene that listed the node
    for (std::uint32_t s = 0; s < scenes.size(); ++s)
        for (const io::JsonValue root : scenes[s]["nodes"]) {
            const LoadResult<std::uint32_t> node = to_index(root, scene.nodes.size());
            if (!node) {
                warn(node.error().detail, root);
                continue;
            }
            if (scene.nodes[*node].parent != scene::none)
                warn("a root of a scene is a child of another node", root);
            if (last_scene[*node] == s) warn("a scene names a node twice", root);
            last_scene[*node] = s;
        }
    LenientFields(document.root(), document.warnings()).index("scene", scenes.size());
}

} // namespace vitrine::gltf
