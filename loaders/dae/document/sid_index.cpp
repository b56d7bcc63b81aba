#include "loaders/dae/document/documents.hpp"

#include <algorithm>
#include <functional>

namespace vitrine::dae {
namespace {

// Returns the position after an element and its content; nullptr at the end.
const char* end_of(io::XmlNode node)
{
    for (; node.exists(); node = node.parent())
        if (const io::XmlNode next = node.next_sibling(); next.exists()) return next.name().data();
    return nullptr;
}

} // namespace

SidIndex::SidIndex(io::XmlNode root)
{
    add(root, 0);
}

// Recursive; the depth of XML is limited.
void SidIndex::add(io::XmlNode node, std::uint32_t depth)
{
    if (const auto sid = node.attribute("sid"); !sid.empty())
        by_sid_[sid].push_back({node.name().data(), depth, node});
    for (const io::XmlNode child : node)
        add(child, depth + 1);
}

io::XmlNode SidIndex::find(io::XmlNode below, std::string_view sid)
{
    const auto known = by_sid_.find(sid);
    if (known == by_sid_.end() || is_exhausted()) return {};
    const std::vector<SidEntry>& places = known->second;
    const auto first =
        std::ranges::upper_bound(places, below.name().data(), std::ranges::less(), &SidEntry::at);
    const char* end = end_of(below);
    const auto last = end == nullptr ? places.end()
                                     : std::ranges::lower_bound(first, places.end(), end, std::ranges::less(),
                                                                &SidEntry::at);
    if (first == last) return {};
    steps_ += static_cast<std::uint64_t>(last - first);
    return std::ranges::min_element(first, last, {}, &SidEntry::depth)->node;
}

} // namespace vitrine::dae
