#include "loaders/io/json/simdjson_library.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <simdjson.h>

// Defines the functions of libsimdjson that the headers call (the parsers themselves are virtual functions of
// what get_active_implementation() returns). VITRINE_SIMDJSON_LIBRARY is the name of the library whose header
// was compiled.

namespace vitrine::io {
namespace {

void* simdjson_library()
{
    static void* const handle = ::dlopen(VITRINE_SIMDJSON_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return handle;
}

} // namespace

bool load_simdjson_library()
{
    return simdjson_library() != nullptr;
}

} // namespace vitrine::io

namespace simdjson {

internal::atomic_ptr<const implementation>& get_active_implementation()
{
    using Function = internal::atomic_ptr<const implementation>&();
    static auto* const function = reinterpret_cast<Function*>(
        ::dlsym(vitrine::io::simdjson_library(), "_ZN8simdjson25get_active_implementationEv"));
    if (function == nullptr) std::abort(); // another library of that name, or none
    return function();
}

bool validate_utf8(const char* text, size_t size) noexcept
{
    return get_active_implementation()->validate_utf8(text, size);
}

} // namespace simdjson
