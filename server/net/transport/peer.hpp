#pragma once
// Who is at the other end of a connection, as far as the transport knows.

#include <cstdint>
#include <string>
#include <variant>

#include <boost/asio/ip/address.hpp>
#include <sys/types.h>

namespace vitrine::server {

// The process that has connected to a Unix socket, as of then; ids as this process sees them.
struct UnixCredentials {
    pid_t pid = 0;
    uid_t uid = 0;
    gid_t gid = 0;

    bool operator==(const UnixCredentials&) const = default;
};

// Empty: it had disconnected before anybody asked.
using PeerAddress = std::variant<std::monostate, boost::asio::ip::address, UnixCredentials>;

// What a TLS handshake has agreed on.
struct TlsFacts {
    std::string version;     // "TLSv1.3"
    std::string cipher;      // "TLS_AES_256_GCM_SHA384"
    std::string server_name; // that the client asked for (SNI); may be empty
    bool resumed = false;    // continues an earlier session
};

struct Peer {
    PeerAddress address{};
    std::string text = "unknown"; // of the address, for log lines: "192.0.2.1", "unix:1000" (the user id)
};

// `descriptor`: a connected socket.
Peer peer_of(int descriptor);

} // namespace vitrine::server
