#pragma once
// Opens a connection to another process of the server.

#include <chrono>
#include <expected>
#include <filesystem>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "server/net/transport/stream.hpp"

namespace vitrine::server {

// `address`: as Endpoint::url() writes it, "http://HOST:PORT", "https://HOST:PORT" or "unix:PATH". With
// https, the handshake has been performed; `authorities`: see TlsContext::for_client(). Resumes on the
// executor of the caller, to which the stream belongs. The error says why there is no connection after `time`
// at the latest, except that the system may need longer to look up a name.
asio::awaitable<std::expected<Stream, std::string>>
connect_stream(std::string address, std::filesystem::path authorities, std::chrono::milliseconds time);

} // namespace vitrine::server
