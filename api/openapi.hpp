#pragma once
// openapi.yaml as JSON text, converted when the program is built.

#include <string>

namespace vitrine::api {

std::string openapi_json();

} // namespace vitrine::api
