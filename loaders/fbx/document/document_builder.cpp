#include "loaders/fbx/document/document_builder.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

// The alternative to default_ticks_per_second that FBXHeaderExtension may declare.
constexpr double alternative_ticks_per_second = 141'120'000.0;

ObjectType type_of(std::string_view kind, std::string_view sub_type)
{
    struct Row {
        std::string_view kind, sub_type; // empty: any
        ObjectType type;
    };
    static constexpr std::array table{
        Row{"Model", "", ObjectType::model},
        Row{"Geometry", "Mesh", ObjectType::mesh},
        Row{"Geometry", "Shape", ObjectType::shape},
        Row{"Geometry", "", ObjectType::surface},
        Row{"NodeAttribute", "", ObjectType::node_attribute},
        Row{"Deformer", "Skin", ObjectType::skin},
        Row{"Deformer", "Cluster", ObjectType::cluster},
        Row{"Deformer", "BlendShape", ObjectType::blend_shape},
        Row{"Deformer", "BlendShapeChannel", ObjectType::blend_channel},
        Row{"Deformer", "VertexCacheDeformer", ObjectType::cache_deformer},
        Row{"Cache", "", ObjectType::cache_file},
        Row{"Material", "", ObjectType::material},
        Row{"Texture", "", ObjectType::texture},
        Row{"LayeredTexture", "", ObjectType::layered_texture},
        Row{"Video", "", ObjectType::video},
        Row{"Pose", "", ObjectType::pose},
        Row{"Constraint", "", ObjectType::constraint},
        Row{"AnimationStack", "", ObjectType::animation_stack},
        Row{"AnimStack", "", ObjectType::animation_stack}, // 7.0
        Row{"AnimationLayer", "", ObjectType::animation_layer},
        Row{"AnimLayer", "", ObjectType::animation_layer},
        Row{"AnimationCurveNode", "", ObjectType::animation_curve_node},
        Row{"AnimCurveNode", "", ObjectType::animation_curve_node},
        Row{"AnimationCurve", "", ObjectType::animation_curve},
        Row{"AnimCurve", "", ObjectType::animation_curve},
    };
    for (const Row& row : table)
        if (row.kind == kind && (row.sub_type.empty() || row.sub_type == sub_type)) return row.type;
    return ObjectType::unknown;
}

// Removes the prefix of "FbxSurfacePhong" or "KFbxMesh".
std::string_view without_prefix(std::string_view name)
{
    if (name.starts_with('K')) name.remove_prefix(1);
    if (name.starts_with("Fbx")) name.remove_prefix(3);
    return name;
}

// Sorts by name; equal names stay in file order.
void sort_entries(std::span<Properties::PropertyEntry> entries)
{
    std::ranges::sort(entries, {}, [](const auto& entry) { return std::pair(entry.name, entry.element); });
}

} // namespace

// Headers before 1004 have no TCDefinition that counts. 127 is the old length of a tick.
double DocumentBuilder::ticks_of(Element header) const
{
    constexpr std::int64_t first_version = 1004, default_ticks_definition = 127;
    const Element definition = header["OtherFlags"]["TCDefinition"];
    if (!definition.exists())
        return document_.version() >= 8000 ? alternative_ticks_per_second : default_ticks_per_second;
    if (header["FBXHeaderVersion"][0u].integer() < first_version) return default_ticks_per_second;
    return definition[0u].integer() == default_ticks_definition ? default_ticks_per_second
                                                                : alternative_ticks_per_second;
}

DocumentBuilder::DocumentBuilder(Document& document, const Limits& limits, io::WarningLog& warnings)
    : document_(document), limits_(limits), warnings_(warnings), root_(document.root())
{
}

void DocumentBuilder::read_header()
{
    const Element header = root_["FBXHeaderExtension"];
    const std::string_view creator =
        root_["Creator"].exists() ? root_.text("Creator") : header.text("Creator");
    document_.creator_ = io::to_utf8(creator);
    document_.ticks_per_second_ = ticks_of(header);
    if (document_.version() >= 8000)
        warnings_.add("fbx_version",
                      fmt::format("FBX version {} is unknown; it is read as a version before 8000",
                                  document_.version()),
                      "FBXVersion");
    if (document_.tree_->lacks_end)
        warnings_.add("missing_end", "the file has no end marker; elements may be missing",
                      "end of the file");
}

// Adds the properties under `element` and returns their range in entries_.
std::pair<std::size_t, std::size_t> DocumentBuilder::add_entries(Element element)
{
    auto& entries = document_.entries_;
    const std::size_t first = entries.size();
    for (const Element child : element) {
        const bool is_70 = child.name() == "Properties70";
        if (!is_70 && child.name() != "Properties60") {
            if (is_version_5() && child.value_count() > 0)
                entries.push_back({child.name(), child.index(), 0});
            continue;
        }
        for (const Element property : child)
            entries.push_back({property[0u].text(), property.index(), is_70 ? 4u : 3u});
    }
    sort_entries(std::span(entries).subspan(first));
    return {first, entries.size() - first};
}

void DocumentBuilder::read_templates()
{
    for (const Element type : root_["Definitions"]) {
        for (const Element child : type) {
            if (child.name() != "PropertyTemplate") continue;
            const auto [first, count] = add_entries(child);
            const auto [of_kind, is_first] =
                templates_.try_emplace(type[0u].text(), Templates{.first = {first, count}, .by_name = {}});
            of_kind->second.by_name.try_emplace(without_prefix(child[0u].text()), Template{first, count});
        }
    }
}

// A template applies to one sub type; templates of some kinds apply to all sub types.
const DocumentBuilder::Template* DocumentBuilder::find_template(std::string_view kind,
                                                                std::string_view sub_type) const
{
    const auto found = templates_.find(kind);
    if (found == templates_.end()) return nullptr;
    const Templates& of_kind = found->second;
    if (const auto own = of_kind.by_name.find(sub_type); own != of_kind.by_name.end()) return &own->second;
    const bool serves_all = kind == "Material" || kind == "Model" || kind == "Texture" || kind == "Video" ||
                            kind == "AnimationStack" || kind == "AnimationLayer" ||
                            kind == "AnimationCurveNode" || kind == "LayeredTexture";
    return serves_all ? &of_kind.first : nullptr;
}

void DocumentBuilder::read_settings()
{
    Element settings = root_["GlobalSettings"];
    if (!settings.exists()) settings = root_["Objects"]["GlobalSettings"];
    settings_ = add_entries(settings);
    // Values that versions 5 and 6 store elsewhere, as plain elements.
    auto& entries = document_.entries_;
    std::set<std::string_view> known;
    for (const Properties::PropertyEntry& entry : std::span(entries).subspan(settings_.first))
        known.insert(entry.name);
    for (const Element old : {root_["Version5"]["Settings"], root_["Settings"]}) {
        for (const Element child : old)
            if (known.insert(child.name()).second) entries.push_back({child.name(), child.index(), 0});
    }
    settings_.second = entries.size() - settings_.first;
    sort_entries(std::span(entries).subspan(settings_.first));
    root_id_ = root_["Documents"]["Document"].integer("RootNode");
}

std::uint32_t DocumentBuilder::add_object(Object object, std::string_view full_name)
{
    const auto index = static_cast<std::uint32_t>(document_.objects_.size());
    if (!document_.by_id_.try_emplace(object.id, index).second) {
        warnings_.add("duplicate_id",
                      fmt::format("the id {} is used twice; the first object is used", object.id),
                      object.element.location());
    }
    document_.objects_.push_back(std::move(object));
    full_names_.push_back(full_name);
    drafts_.emplace_back();
    if (!full_name.empty()) document_.by_full_name_.try_emplace(full_name, index);
    return index;
}

void DocumentBuilder::read_object(Element element)
{
    Object object;
    object.element = element;
    object.kind = element.name();
    // id, name, sub type; without the id before version 7000
    const bool has_id = element[0u].is_number();
    const std::string_view full_name = element[has_id ? 1u : 0u].text();
    object.id = has_id ? element[0u].integer() : next_id_++;
    object.sub_type = element[has_id ? 2u : 1u].text();
    if (object.sub_type.empty() && is_version_5()) object.sub_type = element.text("Type");
    object.type = type_of(object.kind, object.sub_type);
    const std::uint32_t index = add_object(std::move(object), full_name);
    ObjectDraft& draft = drafts_[index];
    std::tie(draft.first_own, draft.own_count) = add_entries(element);
    if (const Template* defaults = find_template(element.name(), document_.objects_[index].sub_type)) {
        draft.first_default = defaults->first;
        draft.default_count = defaults->count;
    }
}

void DocumentBuilder::read_objects()
{
    Object root;
    root.id = root_id_;
    root.type = ObjectType::model;
    root.kind = "Model";
    root.sub_type = "Root";
    add_object(std::move(root), {});
    for (const Element section : root_) {
        if (section.name() == "Objects") {
            for (const Element element : section)
                if (element.name() != "GlobalSettings" && element.value_count() > 0) read_object(element);
        } else if (is_version_5() && type_of(section.name(), {}) != ObjectType::unknown &&
                   section.value_count() > 0) {
            read_object(section);
        }
    }
}

// All names of a file were written by one program on one machine, so one encoding is chosen for all. Escaped
// bytes count like unescaped ones.
void DocumentBuilder::choose_encoding()
{
    std::deque<std::string> unescaped;
    std::vector<std::string_view> names(full_names_);
    for (std::string_view& name : names)
        if (name.contains("FBXASC")) name = unescaped.emplace_back(unescape_name(name));
    document_.encoding_ = io::detect_encoding(names);
    for (std::size_t i = 1; i < full_names_.size(); ++i)
        document_.objects_[i].name = document_.object_name(full_names_[i]);
}

void DocumentBuilder::finish_properties()
{
    const Properties::List all = document_.entries_;
    const ElementTree* tree = document_.tree_.get();
    document_.global_settings_ = {tree, all.subspan(settings_.first, settings_.second), {}};
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
        const ObjectDraft& draft = drafts_[i];
        document_.objects_[i].properties = {tree, all.subspan(draft.first_own, draft.own_count),
                                            all.subspan(draft.first_default, draft.default_count)};
    }
}

LoadResult<void> DocumentBuilder::run()
{
    read_header();
    read_templates();
    read_settings();
    read_objects();
    if (is_legacy())
        if (auto split = split_legacy_models(); !split) return split;
    read_connections();
    if (is_legacy()) move_deformers();
    if (is_version_5()) read_all_channel_defaults();
    if (document_.objects_.size() > std::uint64_t{limits_.nodes} * 16)
        return fail(LoadErrc::limit_exceeded, {},
                    fmt::format("{} objects are more than 16 times the limit nodes = {}",
                                document_.objects_.size(), limits_.nodes));
    choose_encoding();
    finish_properties();
    finish_connections();
    return {};
}

} // namespace vitrine::fbx
