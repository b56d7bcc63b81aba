#pragma once
// The XML documents of one load: the main file and the documents of the same upload that its URLs refer to.
// Finds elements by URL and by sid.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/dae/document/asset.hpp"
#include "loaders/io/budget.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/io/xml/xml.hpp"

namespace vitrine::dae {

// An index of the elements of one document by sid, for searches below any element.
class SidIndex {
public:
    // Walks the document once. Valid as long as the document.
    explicit SidIndex(io::XmlNode root);

    // Returns the element with this sid below `below`, of the same document, that breadth-first search finds:
    // the shallowest, and among those the first. Absent when there is none or the search budget is exhausted.
    io::XmlNode find(io::XmlNode below, std::string_view sid);
    // Returns whether all searches together visited too many elements, as in hostile files that often query a
    // frequent sid.
    bool is_exhausted() const { return steps_ > max_steps; }

private:
    struct SidEntry {
        const char* at; // position of its name in the text, which gives document order
        std::uint32_t depth;
        io::XmlNode node;
    };

    void add(io::XmlNode node, std::uint32_t depth);

    static constexpr std::uint64_t max_steps = 100'000'000;

    std::unordered_map<std::string_view, std::vector<SidEntry>, io::StringHash> by_sid_;
    std::uint64_t steps_ = 0;
};

class Documents {
public:
    // All arguments must outlive it.
    Documents(Source& source, io::Budget& budget, io::WarningLog& warnings);

    // Errors as XmlDocument::parse; malformed when the root is not a COLLADA element.
    LoadResult<io::XmlNode> open_main();

    // Returns the element of a URL: "#id", "other.dae#id" (percent-encoded; inside the upload only), or a
    // bare "id", which some programs write. Absent, with a warning, when unresolved.
    io::XmlNode find(io::XmlNode from, std::string_view url);
    // The same without a warning, and the warning alone, for the `url` of `from`.
    io::XmlNode try_find(io::XmlNode from, std::string_view url);
    void warn_missing(io::XmlNode from);
    io::XmlNode find_id(io::XmlNode from, std::string_view id);

    // Returns the first element below `root` with that sid, breadth first. Warns when the search budget is
    // exhausted.
    io::XmlNode find_sid(io::XmlNode root, std::string_view sid);
    // As XmlNode::child(), cached for repeated queries. `name` must outlive this.
    io::XmlNode first_child(io::XmlNode parent, std::string_view name);
    // Almost no file has a sid with a dot; for one that has, targets are searched twice.
    bool has_sid_with_dot() const { return has_sid_with_dot_; }

    // Uses the nearest <asset> that declares the unit or axis.
    AssetSpace space_of(io::XmlNode node) const;
    // The space of an element that `from` places into coordinates of `around`: as space_of, but when only
    // their common document declares a unit or axis, the element uses the coordinates around it. The
    // reference images of asset/unit and asset/up_axis in <node> and <visual_scene> of the Conformance Test
    // Suite show geometries this way, and those of <animation> the keys.
    AssetSpace space_of(io::XmlNode node, io::XmlNode from, const AssetSpace& around) const
    {
        return space_of(node, declared_below_root(node), from, around);
    }
    // With the values of the node's <asset>s, for callers that query often.
    DeclaredSpace declared_below_root(io::XmlNode node) const;
    AssetSpace space_of(io::XmlNode node, const DeclaredSpace& declared, io::XmlNode from,
                        const AssetSpace& around) const
    {
        return declared.is_complete() || node.tree() == from.tree() ? declared.in(around) : space_of(node);
    }

    // Returns the folder that URLs of the node's document are relative to, from its file name and xml:base.
    std::string folder_of(io::XmlNode node) const;
    const std::vector<io::XmlNode>& roots() const { return roots_; }
    // Returns "line 3" or "other.dae: line 3".
    std::string where(io::XmlNode node) const;
    // Returns the name of the file in the upload that contains the node.
    const std::string& file_of(io::XmlNode node) const;

    // Adds the place to a failure. Counting lines takes time, so it happens only after a failure.
    template <class T>
    LoadResult<T> at(io::XmlNode node, LoadResult<T> result) const
    {
        if (!result && result.error().where.empty()) result.error().where = where(node);
        return result;
    }

    // Counts lines only for warnings that are kept.
    void warn(std::string_view code, std::string_view message, io::XmlNode at);

private:
    void keep_missing(io::XmlNode from, std::string_view url);
    struct LoadedDocument {
        std::string name;
        io::XmlDocument document;
        std::unordered_map<std::string_view, io::XmlNode, io::StringHash> by_id; // the first element
        std::unordered_map<std::string_view, std::vector<io::XmlNode>, io::StringHash>
            further_by_id;                   // further elements with the same id
        std::optional<SidIndex> by_sid = {}; // built on the first search
        Assets assets;
    };

    LoadResult<LoadedDocument*> open(const std::string& name);
    // Registers ids and <asset> elements. Returns the elements whose id another one has.
    std::vector<io::XmlNode> index_elements(LoadedDocument& entry);
    void warn_about_content(const LoadedDocument& entry, std::span<const io::XmlNode> duplicates);
    LoadedDocument* open_other(const std::string& name);
    LoadedDocument* find_entry(io::XmlNode node) const;
    LoadedDocument* find_document(io::XmlNode from, std::string_view url);
    static io::XmlNode find_nearest(const LoadedDocument& entry, io::XmlNode from, std::string_view id);

    Source& source_;
    io::Budget& budget_;
    io::WarningLog& warnings_;
    bool has_sid_with_dot_ = false;
    std::vector<std::unique_ptr<LoadedDocument>> entries_;
    std::unordered_map<const void*, LoadedDocument*> by_tree_;
    std::vector<io::XmlNode> roots_;
    std::map<std::string, LoadedDocument*, std::less<>> by_name_; // null: cannot be read
    std::map<std::pair<const void*, std::string_view>, io::XmlNode> first_children_;
    std::set<std::string, std::less<>>
        warned_elsewhere_; // URLs of documents that were found in another folder
};

} // namespace vitrine::dae
