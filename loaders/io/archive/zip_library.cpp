#include "loaders/io/archive/zip_library.hpp"

#include <zip.h>

#include "loaders/base/late_library.hpp"

// Defines the functions of libzip that unzip.cpp calls; each forwards to the function of that name in the
// library. VITRINE_ZIP_LIBRARY is the name of the library whose header was compiled.

namespace vitrine::io {
namespace {

const LateLibrary& zip_library()
{
    static const LateLibrary library(VITRINE_ZIP_LIBRARY);
    return library;
}

// Precondition: load_zip_library().
template <class Function>
Function* zip_function(const char* name)
{
    return zip_library().require<Function>(name);
}

} // namespace

bool load_zip_library()
{
    return zip_library().is_loaded();
}

} // namespace vitrine::io

using vitrine::io::zip_function;

extern "C" {

int zip_error_code_zip(const zip_error_t* error)
{
    return zip_function<decltype(zip_error_code_zip)>("zip_error_code_zip")(error);
}

void zip_error_fini(zip_error_t* error)
{
    zip_function<decltype(zip_error_fini)>("zip_error_fini")(error);
}

void zip_error_init(zip_error_t* error)
{
    zip_function<decltype(zip_error_init)>("zip_error_init")(error);
}

const char* zip_error_strerror(zip_error_t* error)
{
    return zip_function<decltype(zip_error_strerror)>("zip_error_strerror")(error);
}

int zip_fclose(zip_file_t* file)
{
    return zip_function<decltype(zip_fclose)>("zip_fclose")(file);
}

void zip_discard(zip_t* archive)
{
    zip_function<decltype(zip_discard)>("zip_discard")(archive);
}

zip_error_t* zip_file_get_error(zip_file_t* file)
{
    return zip_function<decltype(zip_file_get_error)>("zip_file_get_error")(file);
}

int zip_file_get_external_attributes(zip_t* archive, zip_uint64_t index, zip_flags_t flags,
                                     zip_uint8_t* system, zip_uint32_t* attributes)
{
    return zip_function<decltype(zip_file_get_external_attributes)>("zip_file_get_external_attributes")(
        archive, index, flags, system, attributes);
}

zip_file_t* zip_fopen_index(zip_t* archive, zip_uint64_t index, zip_flags_t flags)
{
    return zip_function<decltype(zip_fopen_index)>("zip_fopen_index")(archive, index, flags);
}

zip_int64_t zip_fread(zip_file_t* file, void* out, zip_uint64_t size)
{
    return zip_function<decltype(zip_fread)>("zip_fread")(file, out, size);
}

zip_error_t* zip_get_error(zip_t* archive)
{
    return zip_function<decltype(zip_get_error)>("zip_get_error")(archive);
}

const char* zip_get_name(zip_t* archive, zip_uint64_t index, zip_flags_t flags)
{
    return zip_function<decltype(zip_get_name)>("zip_get_name")(archive, index, flags);
}

zip_int64_t zip_get_num_entries(zip_t* archive, zip_flags_t flags)
{
    return zip_function<decltype(zip_get_num_entries)>("zip_get_num_entries")(archive, flags);
}

zip_t* zip_open_from_source(zip_source_t* source, int flags, zip_error_t* error)
{
    return zip_function<decltype(zip_open_from_source)>("zip_open_from_source")(source, flags, error);
}

zip_source_t* zip_source_buffer_create(const void* data, zip_uint64_t size, int owns_data, zip_error_t* error)
{
    return zip_function<decltype(zip_source_buffer_create)>("zip_source_buffer_create")(data, size, owns_data,
                                                                                        error);
}

void zip_source_free(zip_source_t* source)
{
    zip_function<decltype(zip_source_free)>("zip_source_free")(source);
}

int zip_stat_index(zip_t* archive, zip_uint64_t index, zip_flags_t flags, zip_stat_t* out)
{
    return zip_function<decltype(zip_stat_index)>("zip_stat_index")(archive, index, flags, out);
}

} // extern "C"
