#pragma once
// Stores the body of a request as parts of an upload.

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

#include "api/problem.hpp"
#include "server/net/stream_body.hpp"
#include "server/routing/context.hpp"
#include "server/uploads/tus_fields.hpp"

namespace vitrine::server {

// 507 if the disk has no space for this number of bytes.
std::optional<api::Problem> check_room(std::uint64_t bytes, const Context& context);

using ReceivedParts = std::expected<OpenUpload, api::Problem>;
// Appends the body to the upload, which is returned as it is then. Without a checksum, bytes are kept that
// came before the connection was lost or became too slow; the exception of the body is passed on. With one,
// all bytes are kept or none. `body` and `context` must outlive it.
asio::awaitable<ReceivedParts> receive_parts(OpenUpload upload, DeclaredChecksum checksum, BodySource& body,
                                             Context& context);

} // namespace vitrine::server
