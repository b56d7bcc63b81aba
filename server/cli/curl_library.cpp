#include "server/cli/curl_library.hpp"

#include <stdexcept>
#include <string>

#include <dlfcn.h>

namespace vitrine::cli {
namespace {

constexpr const char* name = "libcurl.so.4"; // its interface has not changed since 2006

template <class Function>
void find(void* library, Function& function, const char* symbol)
{
    function = reinterpret_cast<Function>(::dlsym(library, symbol));
    if (function == nullptr) throw std::runtime_error(std::string(name) + " has no " + symbol);
}

CurlLibrary load()
{
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw std::runtime_error("vitrine import needs libcurl: " + std::string(::dlerror()));
    CurlLibrary curl{};
    find(library, curl.easy_init, "curl_easy_init");
    find(library, curl.easy_cleanup, "curl_easy_cleanup");
    find(library, curl.easy_reset, "curl_easy_reset");
    find(library, curl.easy_setopt, "curl_easy_setopt");
    find(library, curl.easy_getinfo, "curl_easy_getinfo");
    find(library, curl.easy_perform, "curl_easy_perform");
    find(library, curl.easy_strerror, "curl_easy_strerror");
    find(library, curl.easy_escape, "curl_easy_escape");
    find(library, curl.free, "curl_free");
    find(library, curl.mime_init, "curl_mime_init");
    find(library, curl.mime_free, "curl_mime_free");
    find(library, curl.mime_addpart, "curl_mime_addpart");
    find(library, curl.mime_name, "curl_mime_name");
    find(library, curl.mime_filedata, "curl_mime_filedata");
    find(library, curl.mime_filename, "curl_mime_filename");
    find(library, curl.mime_type, "curl_mime_type");
    find(library, curl.slist_append, "curl_slist_append");
    find(library, curl.slist_free_all, "curl_slist_free_all");
    decltype(&curl_global_init) start = nullptr;
    find(library, start, "curl_global_init");
    if (start(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl cannot be initialized");
    return curl;
}

} // namespace

const CurlLibrary& curl_library()
{
    static const CurlLibrary loaded = load();
    return loaded;
}

} // namespace vitrine::cli
