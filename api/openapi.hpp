#pragma once
// openapi.yaml as JSON text, converted at build time.

#include <string>

namespace vitrine::api {

std::string openapi_json();

} // namespace vitrine::api
