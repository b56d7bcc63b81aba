#include "loaders/gltf/document/meshopt.hpp"

#include <meshoptimizer.h>

#include "loaders/base/late_library.hpp"

// Defines the functions of libmeshoptimizer that meshopt.cpp calls; each forwards to the function of that
// name in the library. VITRINE_MESHOPT_LIBRARY is the name of the library whose header was compiled.

namespace vitrine::gltf {
namespace {

const LateLibrary& meshopt_library()
{
    static const LateLibrary library(VITRINE_MESHOPT_LIBRARY);
    return library;
}

template <class Function>
Function* meshopt_function(const char* name)
{
    return meshopt_library().require<Function>(name);
}

using DecodeValues = int(void*, size_t, size_t, const unsigned char*, size_t);
using DecodeFilter = void(void*, size_t, size_t);

} // namespace

bool load_meshopt_library()
{
    return meshopt_library().is_loaded();
}

} // namespace vitrine::gltf

using vitrine::gltf::DecodeFilter;
using vitrine::gltf::DecodeValues;
using vitrine::gltf::meshopt_function;

extern "C" {

int meshopt_decodeVertexBuffer(void* out, size_t count, size_t stride, const unsigned char* data, size_t size)
{
    return meshopt_function<DecodeValues>("meshopt_decodeVertexBuffer")(out, count, stride, data, size);
}

int meshopt_decodeIndexBuffer(void* out, size_t count, size_t stride, const unsigned char* data, size_t size)
{
    return meshopt_function<DecodeValues>("meshopt_decodeIndexBuffer")(out, count, stride, data, size);
}

int meshopt_decodeIndexSequence(void* out, size_t count, size_t stride, const unsigned char* data,
                                size_t size)
{
    return meshopt_function<DecodeValues>("meshopt_decodeIndexSequence")(out, count, stride, data, size);
}

void meshopt_decodeFilterOct(void* values, size_t count, size_t stride)
{
    meshopt_function<DecodeFilter>("meshopt_decodeFilterOct")(values, count, stride);
}

void meshopt_decodeFilterQuat(void* values, size_t count, size_t stride)
{
    meshopt_function<DecodeFilter>("meshopt_decodeFilterQuat")(values, count, stride);
}

void meshopt_decodeFilterExp(void* values, size_t count, size_t stride)
{
    meshopt_function<DecodeFilter>("meshopt_decodeFilterExp")(values, count, stride);
}

} // extern "C"
