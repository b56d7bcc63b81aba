#pragma once
// Shared by handlers: asset lookup, JSON responses, conditional requests.

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "loaders/scene/layers/animation_layers.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {

using AssetResult = std::expected<AssetRecord, api::Problem>;

// Returns the asset {id}, in version {n} if the path names one; 404 when it does not exist or is in the
// trash.
AssetResult require_asset(const Request& request, Context& context);
// The number of a version in a path; empty optional: it is none.
std::optional<std::uint32_t> parse_version(std::string_view text);
// As require_asset(), for an imported asset: 409 with Retry-After while the import runs, 409 when it failed.
AssetResult require_imported(const Request& request, Context& context);
// Returns the asset's Scene. Blocking, scenes pool.
std::expected<SharedScene, api::Problem> require_scene(const AssetRecord& asset, Context& context);
// 404 for a clip that the owner, with which the sentence begins, does not have.
api::Problem no_clip(std::string_view text, std::string_view owner = "This asset");
// Finds a clip by "c3", "3", or an exact name that is unique.
std::expected<std::uint32_t, api::Problem> resolve_clip(const scene::Scene& scene, const std::string& text,
                                                        std::string_view owner = "This asset");

// Returns whether the parameter `clip` selects the static pose: it is absent or scene::static_pose_word.
bool is_static_pose(const std::optional<std::string>& clip);
// Finds the clip of a parameter as resolve_clip() does; scene::none for the static pose. The Scene is looked
// up only if a clip is named.
std::expected<std::uint32_t, api::Problem> require_clip(const std::optional<std::string>& clip,
                                                        const AssetRecord& asset, Context& context);

// What a request evaluates. With `layers`, `clip` is only the asset's own clip below them, if there is one.
struct RequestedMotion {
    std::uint32_t clip = scene::none; // none: the static pose
    scene::SharedLayers layers{};
};

// A URL with /versions/{n} and the renderer's revision is immutable, except for clips that users can change,
// clips of other assets, and other assets attached. `motion`: of the image; none: the static pose or the
// thumbnail's choice.
bool is_immutable(const Request& request, const AssetRecord& asset, const RequestedMotion& motion,
                  std::optional<std::uint64_t> revision);

// upload.cpp: requests whose body is an upload: multipart, one zip or file, or the names of finished uploads.
struct UploadPurpose {
    std::string key;    // Idempotency-Key; may be empty
    std::string target; // identifies, with the files, what the request asks for
    // Of the files; blocking. `room`: what is reserved for the upload; null: nothing.
    std::function<HandlerResult(std::vector<FileRecord>, StorageQuota::Reservation* room)> ingest;
};

// Receives the files and answers as `purpose.ingest` does. Named uploads exist no more if it has succeeded.
// `name`: of a body that is one file. `request`, `body` and `context` must outlive it.
asio::awaitable<HandlerResult> take_upload(Request& request, std::optional<std::string> name,
                                           UploadPurpose purpose, BodySource& body, Context& context);

// posted_scenes.cpp: loads the models of a body. Returns the one of the file `name`, or without a name the
// only one that draws anything, beside the others. Blocking.
AssetResult load_chosen_model(const std::vector<NewAsset>& models, const std::optional<std::string>& name,
                              Context& context);

// 426, which names the protocol.
Response websocket_required(const Request& request, std::string detail);
// What is wrong with the handshake of a request that wants a WebSocket of the subprotocol.
std::optional<HandlerResult> reject_handshake(const Request& request, std::string_view protocol);

} // namespace vitrine::server
