// The connections of a document.

#include "loaders/fbx/document/document_builder.hpp"

namespace vitrine::fbx {

// Finds an object by id or name; no_object when it is unknown.
std::uint32_t DocumentBuilder::find_end(const Value& end) const
{
    if (end.is_number()) return document_.find_by_id(end.integer());
    if (!end.is_text()) return no_object;
    const std::string_view name = end.text();
    if (const std::uint32_t found = document_.find_by_full_name(name); found != no_object) return found;
    return name == "Model::Scene" || name == "Scene" || name == std::string_view("Scene\0\1Model", 12)
               ? 0
               : no_object;
}

void DocumentBuilder::connect(std::uint32_t source, std::uint32_t destination,
                              std::string_view source_property, std::string_view destination_property)
{
    if (source == no_object || destination == no_object || source == destination) return;
    connections_.push_back({source, destination, source_property, destination_property});
}

// OO: objects. OP: to a property. PO: from a property. PP: both.
void DocumentBuilder::read_connection(Element element)
{
    const std::string_view kind = element[0u].text();
    const bool from_property = kind.starts_with('P'), to_property = kind.ends_with('P');
    if (kind.size() != 2) return;
    const std::uint32_t destination_at = from_property ? 3 : 2;
    const std::uint32_t source = find_end(element[1u]), destination = find_end(element[destination_at]);
    if (source == destination && source != no_object && kind == "OO")
        warnings_.add("node_cycle", "an object is connected to itself; the connection is ignored",
                      element.location());
    connect(source, destination, from_property ? element[2u].text() : "",
            to_property ? element[destination_at + 1].text() : "");
}

void DocumentBuilder::read_connections()
{
    for (const Element section : root_) {
        if (section.name() != "Connections") continue;
        for (const Element element : section)
            if (element.name() == "C" || element.name() == "Connect") read_connection(element);
    }
}

// Sorts by either end with a counting sort, which is stable.
void DocumentBuilder::finish_connections()
{
    const auto sort_by = [&](std::uint32_t ObjectConnection::* end, std::vector<ObjectConnection>& sorted,
                             std::vector<std::uint32_t>& first) {
        first.assign(document_.objects_.size() + 1, 0);
        for (const ObjectConnection& connection : connections_)
            ++first[connection.*end + 1];
        for (std::size_t i = 1; i < first.size(); ++i)
            first[i] += first[i - 1];
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        sorted.resize(connections_.size());
        for (const ObjectConnection& connection : connections_)
            sorted[next[connection.*end]++] = connection;
    };
    sort_by(&ObjectConnection::destination, document_.by_destination_, document_.first_by_destination_);
    sort_by(&ObjectConnection::source, document_.by_source_, document_.first_by_source_);
}

} // namespace vitrine::fbx
