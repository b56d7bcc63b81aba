#pragma once
// Clients of the REST API in other languages, made from api/openapi.yaml when the program is built.

#include <string>

namespace vitrine::clients {

// The text of vitrine.py.
std::string python_client();

} // namespace vitrine::clients
