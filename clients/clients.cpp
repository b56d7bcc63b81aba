#include "clients/clients.hpp"

#include <numeric>
#include <span>

namespace vitrine::clients {

// Made by python_client.mjs: literals have a limited length.
std::span<const char* const> python_client_parts();

std::string python_client()
{
    const auto parts = python_client_parts();
    return std::accumulate(parts.begin(), parts.end(), std::string());
}

} // namespace vitrine::clients
