#include "server/util/curl_library.hpp"

#include <stdexcept>
#include <string>

#include "loaders/base/late_library.hpp"

namespace vitrine::server {
namespace {

constexpr const char* file_name = "libcurl.so.4"; // its interface has not changed since 2006

template <class Function>
void find_symbol(const LateLibrary& library, Function*& function, const char* symbol)
{
    function = library.find<Function>(symbol);
    if (function == nullptr) throw std::runtime_error(std::string(file_name) + " has no " + symbol);
}

CurlLibrary load_curl()
{
    const LateLibrary library(file_name);
    if (!library.is_loaded())
        throw std::runtime_error(std::string(file_name) + " (libcurl) is needed and cannot be loaded");
    CurlLibrary curl{};
    find_symbol(library, curl.easy_init, "curl_easy_init");
    find_symbol(library, curl.easy_cleanup, "curl_easy_cleanup");
    find_symbol(library, curl.easy_reset, "curl_easy_reset");
    find_symbol(library, curl.easy_setopt, "curl_easy_setopt");
    find_symbol(library, curl.easy_getinfo, "curl_easy_getinfo");
    find_symbol(library, curl.easy_perform, "curl_easy_perform");
    find_symbol(library, curl.easy_strerror, "curl_easy_strerror");
    find_symbol(library, curl.easy_escape, "curl_easy_escape");
    find_symbol(library, curl.free, "curl_free");
    find_symbol(library, curl.mime_init, "curl_mime_init");
    find_symbol(library, curl.mime_free, "curl_mime_free");
    find_symbol(library, curl.mime_addpart, "curl_mime_addpart");
    find_symbol(library, curl.mime_name, "curl_mime_name");
    find_symbol(library, curl.mime_filedata, "curl_mime_filedata");
    find_symbol(library, curl.mime_filename, "curl_mime_filename");
    find_symbol(library, curl.mime_type, "curl_mime_type");
    find_symbol(library, curl.slist_append, "curl_slist_append");
    find_symbol(library, curl.slist_free_all, "curl_slist_free_all");
    find_symbol(library, curl.url, "curl_url");
    find_symbol(library, curl.url_cleanup, "curl_url_cleanup");
    find_symbol(library, curl.url_get, "curl_url_get");
    find_symbol(library, curl.url_set, "curl_url_set");
    decltype(&curl_global_init) start = nullptr;
    find_symbol(library, start, "curl_global_init");
    if (start(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl cannot be initialized");
    return curl;
}

} // namespace

const CurlLibrary& curl_library()
{
    static const CurlLibrary loaded = load_curl();
    return loaded;
}

} // namespace vitrine::server
