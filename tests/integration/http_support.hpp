#pragma once
// The real program on a free loopback port, and a client that gives access to every byte: blocking sockets
// without an HTTP library, so that tests can send invalid requests.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>
#include <sys/types.h>

#include "tests/support/eventually.hpp"

namespace vitrine::test {

using namespace std::chrono_literals;

// A folder that is removed with its owner.
class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

// Runs `vitrine serve --data DATA --no-samples OPTIONS`, with `--listen 127.0.0.1:0 --gpu software` unless
// OPTIONS override them; ended by its pid.
class ServerProcess {
public:
    explicit ServerProcess(const std::filesystem::path& data, std::vector<std::string> options = {},
                           const std::string& program = "vitrine");
    ~ServerProcess(); // SIGKILL if it is still running
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    pid_t pid() const { return pid_; }
    int port() const { return port_; } // 0: it did not start
    const std::string& line() const { return line_; }
    void signal(int number) const;
    // Returns the exit code, 128 + signal, or empty if it still runs after `limit`.
    std::optional<int> wait(std::chrono::milliseconds limit = patience);

private:
    pid_t pid_ = -1;
    int port_ = 0;
    std::string line_;
};

class Socket {
public:
    explicit Socket(int port);
    ~Socket();
    Socket(Socket&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), rest_(std::move(other.rest_))
    {
    }
    Socket& operator=(Socket&&) = delete;

    bool send(std::string_view bytes); // false: the peer has disconnected
    // Returns at least one byte; empty at the end, on an error or after `limit`.
    std::string receive(std::chrono::milliseconds limit = patience);
    std::string receive_until(std::string_view end,
                              std::chrono::milliseconds limit = patience); // includes `end`
    std::string receive_exactly(std::size_t count, std::chrono::milliseconds limit = patience);
    std::string receive_all(std::chrono::milliseconds limit = patience);
    // Reads until the peer closes; returns false if it has not closed after `limit`.
    bool ended(std::chrono::milliseconds limit = patience);
    void close();

private:
    int descriptor_ = -1;
    std::string rest_;
};

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
boost::json::value await_job(int port, const std::string& job, std::chrono::milliseconds limit = patience);
// Uploads, waits for success, and returns the asset's id; empty on failure.
std::string import_asset(int port, const std::vector<UploadFile>& files);
std::string text_at(const boost::json::value& value, std::string_view pointer);

// Returns the number of files below the folder; await_files() waits for this number and returns false after a
// minute.
std::size_t count_files(const std::filesystem::path& folder);
bool await_files(const std::filesystem::path& folder, std::size_t count);

// Sample models as files.
UploadFile koi_glb();
UploadFile robot_glb();
std::vector<UploadFile> robot_md5();
UploadFile vase_glb();

} // namespace vitrine::test
