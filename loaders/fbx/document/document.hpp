#pragma once
// An FBX file as objects with typed properties and the connections between them, in one form for all
// versions. Objects are numbered in file order; 0 is the scene's root, which files do not store as an object.
//
// Versions before 7000 use names instead of ids and store several objects in one Model element. The document
// separates them: a Model with geometry becomes a model and a mesh connected to it, its `Shape`s become blend
// shape, channels and shapes, and a light, camera or limb gets a node attribute. Such an object shares the
// Model's element and properties. Clips of those versions remain elements: takes().

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/fbx/container/element.hpp"
#include "loaders/io/number_hash.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::fbx {

inline constexpr std::uint32_t no_object = 0xFFFF'FFFF;

// The KTime of all known files.
inline constexpr double default_ticks_per_second = 46'186'158'000.0;

enum class ObjectType : std::uint8_t {
    unknown,
    model,          // a node
    mesh,           // Geometry "Mesh"
    shape,          // Geometry "Shape": target of a blend channel
    surface,        // Geometry, node attribute or legacy model: NURBS, patch, line, ...
    node_attribute, // limb, null, camera, light, ...; Object::sub_type is the kind
    skin,
    cluster,
    blend_shape,
    blend_channel,
    cache_deformer,
    cache_file,
    material,
    texture,
    layered_texture,
    video,
    pose,
    constraint,
    animation_stack,
    animation_layer,
    animation_curve_node,
    animation_curve,
};

// Properties70 / Properties60 of an object, then those of its class's template. The last property of a name
// is used. Names are case-sensitive.
class Properties {
public:
    struct PropertyEntry {
        std::string_view name;
        std::uint32_t element = 0;     // the P or Property element; 0: no property
        std::uint32_t first_value = 0; // index of the first value after name, type and flags
    };
    using List = std::span<const PropertyEntry>; // sorted by name

    Properties() = default;
    Properties(const ElementTree* tree, List own, List defaults) : tree_(tree), own_(own), defaults_(defaults)
    {
    }

    // Return the fallback when the property is missing, empty or of another type.
    double real(std::string_view name, double fallback = 0.0) const;
    std::int64_t integer(std::string_view name,
                         std::int64_t fallback = 0) const; // also for enums and times (ticks)
    bool boolean(std::string_view name, bool fallback = false) const;
    glm::dvec3 vec3(std::string_view name, const glm::dvec3& fallback = glm::dvec3(0.0)) const;
    std::string_view text(std::string_view name, std::string_view fallback = {}) const;

    bool has(std::string_view name) const { return find_entry(name).element != 0; }
    bool has_own(std::string_view name) const { return find_in(own_, name).element != 0; }
    // Returns the element itself, and the value at `index` after name, type and flags.
    Element find(std::string_view name) const;
    Value value(std::string_view name, std::uint32_t index = 0) const;
    std::uint32_t value_count(std::string_view name) const;

    List own() const { return own_; }

private:
    static PropertyEntry find_in(List list, std::string_view name);
    PropertyEntry find_entry(std::string_view name) const;

    const ElementTree* tree_ = nullptr;
    List own_;
    List defaults_;
};

struct Object {
    std::int64_t id = 0; // as stored; generated for versions before 7000
    ObjectType type = ObjectType::unknown;
    std::string_view kind;     // the element's name: "Model", "Geometry", "Deformer", ...
    std::string_view sub_type; // "Mesh", "LimbNode", "Skin", ...
    std::string name;          // without class prefix, UTF-8
    Element element;
    Properties properties;
    // The sub-element that belongs to this object when several share `element` (before version 7000): a Shape
    // of a Model.
    Element part;
};

// Translation, rotation and scaling; NaN where the file has no default.
using ChannelDefaults = std::array<glm::dvec3, 3>;

// A property name is empty where the connection ends at the object itself.
struct ObjectConnection {
    std::uint32_t source = 0;      // object
    std::uint32_t destination = 0; // object
    std::string_view source_property;
    std::string_view destination_property;
};

// Decodes names in which the SDK wrote illegal characters as FBXASC and three decimal digits of a byte.
std::string unescape_name(std::string_view text);

class Document {
public:
    // Errors as parse_elements(). Unusual content (connections to missing objects, duplicate ids) is a
    // warning.
    static LoadResult<Document> parse(Bytes file, const Limits& limits, io::WarningLog& warnings);

    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    ~Document();

    std::uint32_t version() const { return tree_->version; } // 5000 .. 7700
    bool is_text() const { return tree_->is_text; }
    const std::string& creator() const { return creator_; } // the program that wrote the file
    bool is_from_blender() const { return creator_.find("Blender") != std::string::npos; }
    double ticks_per_second() const { return ticks_per_second_; }
    Element root() const { return {tree_.get(), 0}; }
    Element takes() const { return root()["Takes"]; } // Take elements, one per clip; before version 7000
    // UpAxis, UnitScaleFactor, TimeMode, CustomFrameRate, TimeSpanStart, ...; includes version 5's Settings.
    const Properties& global_settings() const { return global_settings_; }

    std::span<const Object> objects() const { return objects_; }
    const Object& object(std::uint32_t index) const { return objects_[index]; }
    // Finds an object by `Model::name` or `name\0\1Model`, as stored in the file; no_object when not found.
    std::uint32_t find_by_full_name(std::string_view full_name) const;
    // Finds an object by its id of version 7000 and later.
    std::uint32_t find_by_id(std::int64_t id) const;

    // Version 5 has no Lcl properties but channels with defaults: the model's own, overridden by those of
    // every take in file order, regardless of the current take. Returns null when there are none.
    const ChannelDefaults* channel_defaults(std::uint32_t model) const;

    // In file order. Into the object (children, attributes, curves, ...), and out of it.
    std::span<const ObjectConnection> sources(std::uint32_t object) const;
    std::span<const ObjectConnection> destinations(std::uint32_t object) const;
    // The first source of that type, with `property` the one connected to that property of `object`.
    std::uint32_t source_of_type(std::uint32_t object, ObjectType type, std::string_view property = {}) const;
    // All objects of a type, in file order.
    std::vector<std::uint32_t> objects_of_type(ObjectType type) const;

    // A name as FBX writes it, decoded: "Model::pCube1" and "pCube1\0\1Model" are pCube1.
    std::string object_name(std::string_view full_name) const;
    // Any other text of the file as UTF-8.
    std::string decoded(std::string_view text) const;

private:
    friend class DocumentBuilder;
    Document();

    std::unique_ptr<ElementTree> tree_; // Elements point to it
    io::TextEncoding encoding_ = io::TextEncoding::utf8;
    std::string creator_;
    double ticks_per_second_ = default_ticks_per_second;
    std::vector<Properties::PropertyEntry> entries_; // of all objects and templates
    Properties global_settings_;
    std::vector<Object> objects_;
    std::unordered_map<std::int64_t, std::uint32_t, io::NumberHash> by_id_;
    std::unordered_map<std::string_view, std::uint32_t, io::StringHash> by_full_name_;
    std::unordered_map<std::uint32_t, ChannelDefaults> channel_defaults_;
    std::vector<ObjectConnection> by_destination_, by_source_;          // sorted, file order within
    std::vector<std::uint32_t> first_by_destination_, first_by_source_; // objects + 1 entries
};

} // namespace vitrine::fbx
