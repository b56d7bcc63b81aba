#pragma once
// The version of the code that makes what the catalog stores about a model. Assets whose stored facts are of
// an older version are refreshed in the background after an upgrade.

#include <cstdint>

namespace vitrine::api {

// Increment when the loaders produce a different Scene of the same file.
inline constexpr std::uint32_t loader_revision = 7;
// Increment when the import stores something else about the same Scene: documents, counts, summary, words of
// the search, facets of clips, signatures (server/services/importing/scene_metadata.hpp).
// FactsVersion.* in unit_facts_version fails when one of both is forgotten. At most 999.
inline constexpr std::uint32_t document_revision = 4;

inline constexpr std::int64_t facts_version = 1'000 * std::int64_t{loader_revision} + document_revision;

} // namespace vitrine::api
