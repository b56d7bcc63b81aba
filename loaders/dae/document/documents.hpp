#pragma once
// The XML documents of one load: the file itself and those of the same upload that its URLs lead to. Finds
// elements by URL and by sid.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/dae/document/asset.hpp"
#include "loaders/dae/document/sid_index.hpp"
#include "loaders/io/budget.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/io/xml/xml.hpp"

namespace vitrine::dae {

class Documents {
public:
    // All outlive it.
    Documents(Source& source, io::Budget& budget, io::WarningLog& warnings);

    // Errors as XmlDocument::parse, and malformed when the root is no COLLADA.
    LoadResult<io::XmlNode> open_main();

    // The element that a URL means: "#id", "other.dae#id" (percent-encoded; inside the upload only), also a
    // bare "id", as careless programs write. Absent, with a warning, where it leads nowhere.
    io::XmlNode find(io::XmlNode from, std::string_view url);
    // The same without the warning, and the warning by itself, of the `url` of `from`.
    io::XmlNode try_find(io::XmlNode from, std::string_view url);
    void warn_missing(io::XmlNode from);
    io::XmlNode find_id(io::XmlNode from, std::string_view id);

    // The first element below `root` with that sid, breadth first. A warning where too much was asked for.
    io::XmlNode find_sid(io::XmlNode root, std::string_view sid);
    // The same as XmlNode::child(), for those who ask the same again and again. `name` outlives this.
    io::XmlNode first_child(io::XmlNode parent, std::string_view name);
    // Nearly no file has any, and who asks for one searches twice.
    bool has_sid_with_dot() const { return has_sid_with_dot_; }

    // By the nearest <asset> that says so, unit and axis each.
    Space space_of(io::XmlNode node) const;
    // Of an element that is placed by `from` into coordinates of `around`: as space_of, but where only the
    // document that both are in says something, the element is in the coordinates around it. The Conformance
    // Test Suite's pictures of asset/unit and asset/up_axis in <node> and <visual_scene> show geometries so,
    // and those of <animation> the keys.
    Space space_of(io::XmlNode node, io::XmlNode from, const Space& around) const
    {
        return space_of(node, declared_below_root(node), from, around);
    }
    // With what its <asset>s say, for those who ask often.
    DeclaredSpace declared_below_root(io::XmlNode node) const;
    Space space_of(io::XmlNode node, const DeclaredSpace& declared, io::XmlNode from,
                   const Space& around) const
    {
        return declared.is_complete() || node.tree() == from.tree() ? declared.in(around) : space_of(node);
    }

    // The documents in the order in which they were opened; the first is the file itself.
    // What the URLs of the node's document are relative to: the folder of its file and of its xml:base.
    std::string folder_of(io::XmlNode node) const;
    const std::vector<io::XmlNode>& roots() const { return roots_; }
    // "line 3" or "other.dae: line 3".
    std::string where(io::XmlNode node) const;
    // Name of the file in the upload that holds the node.
    const std::string& file_of(io::XmlNode node) const;

    // Gives a failure its place. Counting lines takes time, so this comes after the failure.
    template <class T>
    LoadResult<T> at(io::XmlNode node, LoadResult<T> result) const
    {
        if (!result && result.error().where.empty()) result.error().where = where(node);
        return result;
    }

    // Counts the line only where the warning is kept.
    void warn(std::string_view code, std::string_view message, io::XmlNode at);

private:
    void keep_missing(io::XmlNode from, std::string_view url);
    struct LoadedDocument {
        std::string name;
        io::XmlDocument document;
        std::unordered_map<std::string_view, io::XmlNode, io::StringHash> by_id; // the first
        std::unordered_map<std::string_view, std::vector<io::XmlNode>, io::StringHash>
            again;                           // some of the others
        std::optional<SidIndex> by_sid = {}; // with the first search
        Assets assets;
    };

    LoadResult<LoadedDocument*> open(const std::string& name);
    LoadedDocument* open_other(const std::string& name);
    LoadedDocument* entry_of(io::XmlNode node) const;
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
        warned_elsewhere_; // what URLs call documents that were found elsewhere
};

} // namespace vitrine::dae
