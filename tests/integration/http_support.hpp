#pragma once
// A client of the real program that gives access to every byte: without an HTTP library, so that tests can
// send invalid requests.

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "tests/integration/server_process.hpp"
#include "tests/integration/socket.hpp"

namespace vitrine::test {

using namespace std::chrono_literals;

struct Reply {
    int status = 0; // 0: no response
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::string header(std::string_view name) const;
    boost::json::value json() const; // throws
};

using Fields = std::vector<std::pair<std::string, std::string>>;

// Reads one response; `head`: to a HEAD request.
Reply read_reply(Socket& socket, bool head = false);
Reply fetch(int port, std::string_view method, std::string_view path, const Fields& fields = {},
            std::string_view body = {});
inline Reply get(int port, std::string_view path, const Fields& fields = {})
{
    return fetch(port, "GET", path, fields);
}

struct UploadFile {
    std::string name;
    std::string bytes;
};
Reply upload(int port, const std::vector<UploadFile>& files);
// Polls the job until it has ended.
boost::json::value await_job(int port, const std::string& job,
                             std::chrono::milliseconds limit = wait_timeout);
// Uploads, waits for success, and returns the asset's id; empty on failure.
std::string import_asset(int port, const std::vector<UploadFile>& files);
std::string text_at(const boost::json::value& value, std::string_view pointer);

// Returns the number of files below the folder; await_files() waits for this number and returns false after a
// minute.
std::size_t count_files(const std::filesystem::path& folder);
bool await_files(const std::filesystem::path& folder, std::size_t count);
// Stored files of the server with this data folder, there or in the object store of the tests.
std::size_t count_stored_files(const std::filesystem::path& data);
void remove_stored_files(const std::filesystem::path& data);
bool has_object_store(); // VITRINE_TEST_OBJECT_STORE is set

// Sample models as files.
UploadFile koi_glb();
UploadFile robot_glb();
std::vector<UploadFile> robot_md5();
UploadFile vase_glb();

} // namespace vitrine::test
