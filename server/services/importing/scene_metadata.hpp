#pragma once
// Derives the catalog's metadata from a Scene.

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "api/user_clips.hpp"
#include "loaders/scene/scene.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/importing/check_gate.hpp"

namespace vitrine::server {

// Returns documents, counts, summary, search text, facets of clips and signatures; `more` are additional
// warnings beside those of the gate, `user_clips` the last clips of the scene, which are never its
// representative clip. After a stop is requested, facts of clips are missing.
Metadata describe(const scene::Scene& scene, const CheckGate& gate = {},
                  std::span<const scene::Warning> more = {}, std::span<const api::UserClip> user_clips = {},
                  const std::stop_token& stop = {});

// Whether the document depends on the Scene and its user clips alone; then describe_document() returns its
// text.
bool is_of_scene(AssetDocument document);
std::string describe_document(const scene::Scene& scene, AssetDocument document,
                              std::span<const api::UserClip> user_clips);

// Returns AssetDocument::bounds: exact boxes of every clip, and conservative ones that contain them.
// `report_progress(fraction)` is called between clips; if it returns false, the result is an empty text.
std::string describe_bounds(const scene::Scene& scene, const std::function<bool(double)>& report_progress);
// As describe_bounds(), where only the clips from `first` on are new; `known` is the previous document.
std::string describe_bounds_of_clips(std::string_view known, const scene::Scene& scene, std::size_t first);

} // namespace vitrine::server
