#pragma once
// The real program on a free loopback port.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

#include "tests/support/eventually.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::test {

// Where a server with this data folder has its catalog: a file there, or with VITRINE_TEST_DATABASE
// (script/with-postgres) a schema of its own in that database.
std::string catalog_location(const std::filesystem::path& data);

// With VITRINE_TEST_OBJECT_STORE (script/with-object-store), such a server has its files below this prefix of
// the bucket "vitrine". Unique in a database or bucket.
std::string name_in_stores(const std::filesystem::path& data);

// Runs `vitrine serve --data DATA --no-samples OPTIONS`, with `--listen 127.0.0.1:0 --gpu software --log warn
// --open` unless OPTIONS override them (--open by --token, or by --no-open, which is removed); ended by its
// pid. `log`: descriptor that becomes its stderr.
class ServerProcess {
public:
    explicit ServerProcess(const std::filesystem::path& data, std::vector<std::string> options = {},
                           const std::string& program = "vitrine", int log = STDERR_FILENO);
    ~ServerProcess(); // SIGKILL if it is still running
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    pid_t pid() const { return pid_; }
    int port() const { return port_; } // 0: it did not start
    const std::string& line() const { return line_; }
    void signal(int number) const;
    // Returns the exit code, 128 + signal, or empty if it still runs after `limit`.
    std::optional<int> wait(std::chrono::milliseconds limit = wait_timeout);

private:
    pid_t pid_ = -1;
    int port_ = 0;
    std::string line_;
};

} // namespace vitrine::test
