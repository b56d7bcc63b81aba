#pragma once
// The types of events that the catalog records (api/README.md), by which clients choose.

#include <algorithm>
#include <array>
#include <string_view>

namespace vitrine::server {

inline constexpr std::array<std::string_view, 17> event_types{"asset.created",
                                                              "asset.metadata",
                                                              "asset.bounds",
                                                              "asset.thumbnail",
                                                              "asset.failed",
                                                              "asset.updated",
                                                              "asset.deleted",
                                                              "asset.purged",
                                                              "asset.version",
                                                              "tag.changed",
                                                              "collection.created",
                                                              "collection.updated",
                                                              "collection.deleted",
                                                              "note.created",
                                                              "note.updated",
                                                              "note.deleted",
                                                              "job"};

// Whether the word names a type of events, or with "asset.*", "collection.*" or "note.*" all of those that
// begin so.
inline bool is_event_filter(std::string_view word)
{
    return word == "asset.*" || word == "collection.*" || word == "note.*" ||
           std::ranges::find(event_types, word) != event_types.end();
}

// Whether is_event_filter() `word` names the type.
inline bool names_event_type(std::string_view word, std::string_view type)
{
    return word == type || (word.ends_with(".*") && type.starts_with(word.substr(0, word.size() - 1)));
}

} // namespace vitrine::server
