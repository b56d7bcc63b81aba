#pragma once
// The short name of Boost.Asio in the server.

namespace boost::asio {
}

namespace vitrine::server {

namespace asio = boost::asio;

} // namespace vitrine::server
