#include "loaders/io/json/json.hpp"

#include <simdjson.h>

#include "loaders/base/late_library.hpp"

// Defines the functions of libsimdjson that the headers call (the parsers themselves are virtual functions of
// what get_active_implementation() returns). VITRINE_SIMDJSON_LIBRARY is the name of the library whose header
// was compiled.

namespace vitrine::io {
namespace {

const LateLibrary& simdjson_library()
{
    static const LateLibrary library(VITRINE_SIMDJSON_LIBRARY);
    return library;
}

} // namespace

bool load_simdjson_library()
{
    return simdjson_library().is_loaded();
}

} // namespace vitrine::io

namespace simdjson {

internal::atomic_ptr<const implementation>& get_active_implementation()
{
    using Function = internal::atomic_ptr<const implementation>&();
    static auto* const function =
        vitrine::io::simdjson_library().require<Function>("_ZN8simdjson25get_active_implementationEv");
    return function();
}

bool validate_utf8(const char* text, size_t size) noexcept
{
    return get_active_implementation()->validate_utf8(text, size);
}

} // namespace simdjson
