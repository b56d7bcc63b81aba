#pragma once
// HTTP client of `vitrine import`: one kept-alive connection for all requests. Single-threaded.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "server/cli/curl_library.hpp"

namespace vitrine::cli {

struct ImportServer {
    std::string url = "http://127.0.0.1:8080";
    std::string token{};
};

struct Reply {
    long status = 0;
    std::string body{};
    std::string failure{}; // connection error
};

// A progress line on stderr that is redrawn in place; prints nothing when stderr is not a terminal.
class ProgressBar {
public:
    explicit ProgressBar(std::string label);
    void show(double fraction, std::string_view what);
    void clear() const;

private:
    std::string label_;
    bool shown_;
    std::chrono::steady_clock::time_point last_{};
};

class ImportClient {
public:
    // `stopped` is polled during transfers; true aborts the transfer. Both arguments outlive the client.
    ImportClient(const ImportServer& server, std::function<bool()> stopped);

    Reply get(const std::string& path);
    Reply upload(const std::vector<worker::BundleFile>& files, ProgressBar& bar);
    Reply upload_zip(const std::filesystem::path& file, ProgressBar& bar);
    bool stopped() const { return stopped_(); }

private:
    struct Transfer; // passed to the callbacks of libcurl

    using FieldList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;
    FieldList fields(bool zip) const;
    Reply perform(const std::string& path, curl_mime* form, std::FILE* zip, ProgressBar* bar);

    const ImportServer& server_;
    std::function<bool()> stopped_;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

} // namespace vitrine::cli
