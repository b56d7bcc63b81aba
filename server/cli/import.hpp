#pragma once
// The parts of `vitrine import`: HTTP client, upload of one path, watch of folders. Single-threaded.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>
#include <curl/curl.h>

#include "loaders/worker/client/client.hpp"
#include "server/cli/terminal/progress.hpp"

namespace vitrine::cli {

struct ImportServer {
    std::string url = "http://127.0.0.1:8080";
    std::string token{};
    std::string ca_file{}; // PEM, certificates that are trusted instead of the system's; empty: the system's
};

// Of "https://models.example:8443/x" the origin without the path, and its host ("[::1]" without brackets).
std::string origin_of(const std::string& url);
std::string host_of(const std::string& url);

// Without a token, that of `vitrine login`, or that of a server that runs on this machine with the data
// folder; empty: the default one.
void find_server_token(ImportServer& server, const std::filesystem::path& data);

struct Reply {
    long status = 0;
    std::string body{};
    std::string failure{}; // connection error
    std::string location{};
    std::optional<std::uint64_t> upload_offset{}; // of tus
};

// Returns the body of a successful response; null without one. Throws std::runtime_error with the server's
// reason.
boost::json::value request_json(const ImportServer& server, const char* method, const std::string& path,
                                const std::string& body);

// Where the progress of one upload and its imports is shown, and the name of what is uploaded.
struct ImportProgress {
    ProgressLine& line;
    std::string label;
    double begin = 0.0, end = 1.0; // share of the whole upload that one request sends
};

struct ImportOptions {
    bool wait = true;         // until the imports have ended
    std::string collection{}; // id; of the new assets
};

// A part of a file, from where it is read.
struct FilePart {
    std::FILE* file = nullptr;
    std::uint64_t size = 0;
};

// One kept-alive connection for all requests.
class ImportClient {
public:
    // `stopped` is polled during transfers; true aborts the transfer. Both arguments outlive the client.
    ImportClient(const ImportServer& server, std::function<bool()> stopped);

    Reply get(const std::string& path);
    // With these header fields, "Name: value".
    Reply get_with(const std::string& path, std::vector<std::string> fields);
    // `method`: POST or DELETE; `json`: the body; empty: none.
    Reply send(const char* method, const std::string& path, const std::string& json = {},
               std::vector<std::string> fields = {});
    Reply send_file(const char* method, const std::string& path, const FilePart& part,
                    std::vector<std::string> fields, const ImportProgress& progress);
    // As a form; `target`: /v1/assets with its parameters.
    Reply upload(const std::vector<worker::BundleFile>& files, const ImportProgress& progress,
                 const std::string& target);
    // `text` as a part of a URL.
    std::string escape(const std::string& text);
    bool stopped() const { return stopped_(); }

private:
    struct Transfer; // passed to the callbacks of libcurl
    struct Content {
        const char* method = nullptr; // null: GET, or POST of a form or zip
        const std::string* json = nullptr;
        curl_mime* form = nullptr;
        FilePart part{};
        std::vector<std::string> fields{};
    };

    using FieldList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;
    FieldList fields(const Content& content) const;
    Reply perform(const std::string& path, const Content& content, const ImportProgress* progress);

    const ImportServer& server_;
    std::function<bool()> stopped_;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

// import_resumable.cpp. As ImportClient::upload(), by tus: goes on where it was when the connection breaks,
// and when a later command uploads the same files within a day.
Reply upload_resumable(ImportClient& client, const std::vector<worker::BundleFile>& files,
                       const ImportProgress& progress, const std::string& target);
// Of those that can be read.
std::uint64_t bytes_of(const std::vector<worker::BundleFile>& files);

// Returns the id of the collection with the id or, if only one has it, the name. Throws std::runtime_error.
std::string find_collection(const ImportServer& server, const std::string& text);

// Prints one line per asset to stdout and errors to stderr. Returns false if there was an error. A stop of
// the client ends it early without a message.
bool import_path(ImportClient& client, const std::filesystem::path& path, const ImportOptions& options);

// `vitrine import --watch`: imports the content of the folders, then each change in them, until SIGINT or
// SIGTERM. A model directly in a folder is one upload; a subfolder with all its content is one upload.
// Returns the exit code.
int watch_and_import(const ImportServer& server, const std::vector<std::filesystem::path>& folders,
                     const ImportOptions& options);

} // namespace vitrine::cli
