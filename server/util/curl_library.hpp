#pragma once
// libcurl, loaded at its first use: together with its 27 dependencies it would add about 6 ms to the start of
// every command. Types come from its header.

#include <curl/curl.h>

namespace vitrine::server {

// The functions of libcurl by their names without the prefix "curl_".
struct CurlLibrary {
    decltype(&curl_easy_init) easy_init;
    decltype(&curl_easy_cleanup) easy_cleanup;
    decltype(&curl_easy_reset) easy_reset;
    decltype(&curl_easy_setopt) easy_setopt;
    decltype(&curl_easy_getinfo) easy_getinfo;
    decltype(&curl_easy_perform) easy_perform;
    decltype(&curl_easy_strerror) easy_strerror;
    decltype(&curl_easy_escape) easy_escape;
    decltype(&curl_free) free;
    decltype(&curl_mime_init) mime_init;
    decltype(&curl_mime_free) mime_free;
    decltype(&curl_mime_addpart) mime_addpart;
    decltype(&curl_mime_name) mime_name;
    decltype(&curl_mime_filedata) mime_filedata;
    decltype(&curl_mime_filename) mime_filename;
    decltype(&curl_mime_type) mime_type;
    decltype(&curl_slist_append) slist_append;
    decltype(&curl_slist_free_all) slist_free_all;
    decltype(&curl_url) url;
    decltype(&curl_url_cleanup) url_cleanup;
    decltype(&curl_url_get) url_get;
    decltype(&curl_url_set) url_set;
};

// Loads and initializes libcurl on the first call; it stays loaded. Throws std::runtime_error when it is not
// installed. Any thread.
const CurlLibrary& curl_library();

} // namespace vitrine::server
