#pragma once
// Builds a Document from elements: collects objects and connections (document_connections.cpp), separates
// legacy objects (legacy_objects.cpp) and builds the indices.

#include <map>

#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

class DocumentBuilder {
public:
    DocumentBuilder(Document& document, const Limits& limits, io::WarningLog& warnings);

    LoadResult<void> run();

private:
    struct ObjectDraft { // ranges of entries_, which still grows
        std::size_t first_own = 0, own_count = 0;
        std::size_t first_default = 0, default_count = 0;
    };
    struct Template {
        std::size_t first = 0, count = 0;
    };
    struct Templates { // of one kind of object
        Template first;
        std::map<std::string_view, Template> by_name;
    };

    // document_builder.cpp
    bool is_legacy() const { return document_.version() < 7000; }
    bool is_version_5() const { return document_.version() < 6000; }
    void read_header();
    double ticks_of(Element header) const; // a second
    void read_templates();
    void read_settings();
    void read_objects();
    void read_object(Element element);
    std::uint32_t add_object(Object object, std::string_view full_name);
    std::pair<std::size_t, std::size_t> add_entries(Element properties_of);
    const Template* find_template(std::string_view kind, std::string_view sub_type) const;
    void choose_encoding();
    void finish_properties();

    // document_connections.cpp
    void read_connections();
    void read_connection(Element element);
    std::uint32_t find_end(const Value& end) const;
    void connect(std::uint32_t source, std::uint32_t destination, std::string_view source_property = {},
                 std::string_view destination_property = {});
    void finish_connections();

    // legacy_objects.cpp
    LoadResult<void> split_legacy_models();
    std::uint32_t add_part(std::uint32_t model, ObjectType type, std::string_view kind,
                           std::string_view sub_type, Element part);
    void add_mesh_of(std::uint32_t model);
    void add_shapes_of(std::uint32_t mesh, std::uint32_t model);
    void add_links_of(std::uint32_t mesh, std::uint32_t model);
    void add_materials_of(std::uint32_t model);
    void move_deformers();
    LoadResult<void> connect_children();
    void read_channel_defaults(Element of, std::uint32_t model);
    void read_all_channel_defaults();

    Document& document_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Element root_;
    std::int64_t root_id_ = 0;
    std::map<std::string_view, Templates> templates_;
    std::vector<ObjectDraft> drafts_; // one per object
    std::vector<std::string_view> full_names_;
    std::pair<std::size_t, std::size_t> settings_;
    std::vector<ObjectConnection> connections_;
    std::unordered_map<std::uint32_t, std::uint32_t> mesh_of_; // legacy: model -> mesh
    std::int64_t next_id_ = 0x4000'0000'0000'0000;             // for objects without an id in the file
};

} // namespace vitrine::fbx
