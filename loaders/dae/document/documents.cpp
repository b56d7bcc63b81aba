#include "loaders/dae/document/documents.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/percent_encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

constexpr std::size_t max_elements_per_id = 16; // number of elements compared
constexpr int max_levels = 8;                   // depth of ancestors searched
constexpr std::size_t max_documents = 1000;

// In document order, without recursion. Skips the content of mesh primitives, which has no ids of interest.
template <class Function>
void for_each_element(io::XmlNode root, Function f)
{
    io::XmlNode at = root;
    while (at.exists()) {
        f(at);
        io::XmlNode next = at.first_child();
        while (!next.exists() && at.exists() && !(at == root)) {
            next = at.next_sibling();
            if (!next.exists()) at = at.parent();
        }
        at = next;
    }
}

// COLLADA 1.0 to 1.3 had different elements. A document with an older version number but libraries of 1.4 is
// accepted.
bool is_before_1_4(io::XmlNode root)
{
    const std::string_view version = root.attribute("version");
    const bool early = version.size() >= 3 && version.starts_with("1.") && version[2] >= '0' &&
                       version[2] <= '3' && (version.size() == 3 || version[3] == '.');
    if (!early) return false;
    for (const io::XmlNode child : root)
        if (child.name().starts_with("library_")) return false;
    return true;
}

} // namespace

Documents::Documents(Source& source, io::Budget& budget, io::WarningLog& warnings)
    : source_(source), budget_(budget), warnings_(warnings)
{
}

LoadResult<io::XmlNode> Documents::open_main()
{
    auto entry = open(source_.main_name());
    if (!entry) return std::unexpected(entry.error());
    const io::XmlNode root = (*entry)->document.root();
    if (!root.is("COLLADA"))
        return fail(LoadErrc::malformed, root.where(),
                    fmt::format("the root is {} and not COLLADA", io::shown(root.name())));
    if (is_before_1_4(root))
        return fail(LoadErrc::unsupported, root.where(),
                    fmt::format("COLLADA {} is not supported; only 1.4 and 1.5 are",
                                io::shown(root.attribute("version"))));
    return root;
}

LoadResult<Documents::LoadedDocument*> Documents::open(const std::string& name)
{
    const auto bytes = source_.open(name);
    if (!bytes) return fail(LoadErrc::missing_file, name, "the file cannot be read");
    if (auto taken = budget_.take_bytes(bytes->size(), name); !taken) return std::unexpected(taken.error());
    auto document = io::XmlDocument::parse(*bytes, budget_.limits());
    if (!document) return std::unexpected(document.error());
    entries_.push_back(std::make_unique<LoadedDocument>(name, std::move(*document)));
    LoadedDocument& entry = *entries_.back();
    by_tree_[entry.document.root().tree()] = &entry;
    const auto duplicates = index_elements(entry);
    roots_.push_back(entry.document.root());
    warn_about_content(entry, duplicates);
    return by_name_[name] = &entry;
}

std::vector<io::XmlNode> Documents::index_elements(LoadedDocument& entry)
{
    std::vector<io::XmlNode> duplicates;
    for_each_element(entry.document.root(), [&](io::XmlNode node) {
        const auto id = node.attribute("id");
        if (!id.empty() && !entry.by_id.try_emplace(id, node).second) {
            duplicates.push_back(node);
            if (auto& further = entry.further_by_id[id]; further.size() < max_elements_per_id)
                further.push_back(node);
        }
        has_sid_with_dot_ |= node.attribute("sid").contains('.');
        if (!node.is("asset")) return;
        for (const auto& [at, fault] : entry.assets.add(node))
            warn("invalid_asset", fault, at);
    });
    return duplicates;
}

void Documents::warn_about_content(const LoadedDocument& entry, std::span<const io::XmlNode> duplicates)
{
    if (const auto extra = entry.document.content_after_root(); extra.exists())
        warn("content_after_root", "content after the root element is ignored", extra);
    if (!duplicates.empty())
        warn("duplicate_id",
             fmt::format("{} elements have a duplicate id, {} first; URLs refer to the first element, "
                         "or to one in the same subtree",
                         duplicates.size(), io::shown(duplicates.front().attribute("id"))),
             duplicates.front());
    if (const auto unknown = entry.document.unknown_encoding(); !unknown.empty())
        warn("unknown_encoding",
             fmt::format("the encoding {} is unknown; the encoding of names is guessed", io::shown(unknown)),
             entry.document.root());
    if (const auto unknown = entry.document.unknown_entity(); !unknown.empty())
        warn("unknown_entity", fmt::format("the entity {} is not defined in the file", io::shown(unknown)),
             entry.document.root());
}

Documents::LoadedDocument* Documents::open_other(const std::string& name)
{
    if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
    by_name_[name] = nullptr;
    if (entries_.size() >= max_documents) return nullptr;
    const auto entry = open(name);
    if (entry && (*entry)->document.root().is("COLLADA")) return *entry;
    const LoadError reason =
        entry ? LoadError{LoadErrc::malformed, "", "it is not a COLLADA document"} : entry.error();
    warnings_.add("invalid_document", fmt::format("the file of a URL cannot be used: {}", reason.detail),
                  reason.where.empty() || reason.where == name ? name
                                                               : fmt::format("{}: {}", name, reason.where));
    return by_name_[name] = nullptr;
}

Documents::LoadedDocument* Documents::find_entry(io::XmlNode node) const
{
    const auto found = by_tree_.find(node.tree());
    return found == by_tree_.end() ? nullptr : found->second;
}

DeclaredSpace Documents::declared_below_root(io::XmlNode node) const
{
    const LoadedDocument* entry = find_entry(node);
    return entry == nullptr ? DeclaredSpace() : entry->assets.below_root(node);
}

AssetSpace Documents::space_of(io::XmlNode node) const
{
    const LoadedDocument* entry = find_entry(node);
    return entry == nullptr ? AssetSpace() : entry->assets.of(node);
}

std::string Documents::folder_of(io::XmlNode node) const
{
    const LoadedDocument* entry = find_entry(node);
    if (entry == nullptr) return {};
    std::string folder(io::folder_of(entry->name));
    const std::string base = io::percent_decode(entry->document.root().attribute("base")); // xml:base
    if (base.contains(':') || base.starts_with('/')) return folder; // not inside an upload
    return folder.append(io::folder_of(base));
}

// Relative to the file that contains the URL, or to its xml:base; files outside the upload are not
// accessible.
Documents::LoadedDocument* Documents::find_document(io::XmlNode from, std::string_view url)
{
    LoadedDocument* own = find_entry(from);
    if (url.empty() || own == nullptr) return own;
    const std::string wanted = io::percent_decode(url);
    for (const std::string& folder : {folder_of(from), std::string(io::folder_of(own->name))}) {
        const auto exact = io::normalize_name(folder + wanted);
        if (exact && std::ranges::binary_search(source_.names(), *exact)) return open_other(*exact);
    }
    const auto resolved = io::resolve(source_, wanted);
    if (!resolved) return nullptr;
    if (resolved->match == io::Match::elsewhere && warned_elsewhere_.insert(wanted).second)
        warn("found_elsewhere",
             fmt::format("the document {} is missing; the file {} is used", io::shown(wanted),
                         io::shown(resolved->name)),
             from);
    return open_other(resolved->name);
}

io::XmlNode Documents::find_id(io::XmlNode from, std::string_view id)
{
    const LoadedDocument* entry = find_entry(from);
    return entry == nullptr ? io::XmlNode() : find_nearest(*entry, from, id);
}

// Of elements with the same id, the first is used, except one inside an ancestor of `from`, where FCollada
// searches first.
io::XmlNode Documents::find_nearest(const LoadedDocument& entry, io::XmlNode from, std::string_view id)
{
    const auto first = entry.by_id.find(id);
    if (first == entry.by_id.end()) return {};
    const auto others = entry.further_by_id.find(id);
    if (others == entry.further_by_id.end()) return first->second;
    io::XmlNode around = from;
    for (int i = 0; i < max_levels && around.exists(); ++i, around = around.parent()) {
        const auto is_in = [&](io::XmlNode node) { return node.parent().key() == around.key(); };
        if (is_in(first->second)) break;
        if (const auto found = std::ranges::find_if(others->second, is_in); found != others->second.end())
            return *found;
    }
    return first->second;
}

io::XmlNode Documents::try_find(io::XmlNode from, std::string_view url)
{
    const std::size_t hash = url.find('#');
    if (hash == std::string_view::npos) return find_id(from, url);
    const LoadedDocument* entry = find_document(from, url.substr(0, hash));
    if (entry == nullptr) return {};
    const std::string_view id = url.substr(hash + 1);
    const io::XmlNode found = find_nearest(*entry, from, id);
    return found.exists() || !id.contains('%') ? found : find_nearest(*entry, from, io::percent_decode(id));
}

io::XmlNode Documents::find(io::XmlNode from, std::string_view url)
{
    const io::XmlNode node = try_find(from, url);
    if (!node.exists() && !url.empty() && warnings_.accepts("missing_element")) keep_missing(from, url);
    return node;
}

void Documents::warn_missing(io::XmlNode from)
{
    if (warnings_.accepts("missing_element")) keep_missing(from, from.attribute("url"));
}

void Documents::keep_missing(io::XmlNode from, std::string_view url)
{
    warnings_.store("missing_element", fmt::format("no element has the name {}", io::shown(url)),
                    where(from));
}

io::XmlNode Documents::find_sid(io::XmlNode root, std::string_view sid)
{
    LoadedDocument* entry = find_entry(root);
    if (entry == nullptr) return {};
    if (!entry->by_sid) entry->by_sid.emplace(entry->document.root());
    const io::XmlNode found = entry->by_sid->find(root, sid);
    if (!found.exists() && entry->by_sid->is_exhausted())
        warn("sid_limit", "too many elements have the same sid; further sids are not resolved", root);
    return found;
}

io::XmlNode Documents::first_child(io::XmlNode parent, std::string_view name)
{
    const auto [known, is_new] = first_children_.try_emplace({parent.key(), name});
    if (is_new) known->second = parent.child(name);
    return known->second;
}

std::string Documents::where(io::XmlNode node) const
{
    const LoadedDocument* entry = find_entry(node);
    if (entry == nullptr) return source_.main_name(); // for absent elements
    if (entry == entries_.front().get()) return node.where();
    return fmt::format("{}: {}", entry->name, node.where());
}

const std::string& Documents::file_of(io::XmlNode node) const
{
    const LoadedDocument* entry = find_entry(node);
    return entry == nullptr ? source_.main_name() : entry->name;
}

void Documents::warn(std::string_view code, std::string_view message, io::XmlNode at)
{
    if (warnings_.accepts(code)) warnings_.store(code, message, where(at));
}

} // namespace vitrine::dae
