#include "tests/integration/server_process.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/integration/socket.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes/spawn.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Returns the first line of output.
std::string read_line(int descriptor, Clock::time_point until)
{
    std::string line;
    char c = 0;
    while (readable(descriptor, until) && ::read(descriptor, &c, 1) == 1 && c != '\n')
        line.push_back(c);
    return line;
}

} // namespace

std::string name_in_stores(const std::filesystem::path& data)
{
    return "test_" + std::to_string(std::hash<std::string>{}(data.string()));
}

std::string catalog_location(const std::filesystem::path& data)
{
    const char* const url = std::getenv("VITRINE_TEST_DATABASE");
    if (url == nullptr) return data / "catalog.sqlite";
    const auto schema = name_in_stores(data);
    const auto statement = "CREATE SCHEMA IF NOT EXISTS " + schema;
    const auto sender =
        spawn({"/usr/bin/psql", "-q", "-c", "SET client_min_messages = warning", "-c", statement, url},
              {.output = STDERR_FILENO});
    int status = 0;
    if (sender < 0 || ::waitpid(sender, &status, 0) != sender || status != 0)
        throw std::runtime_error("the schema of the test cannot be created");
    return std::string(url) + "&options=-csearch_path%3D" + schema + ",public";
}

ServerProcess::ServerProcess(const std::filesystem::path& data, std::vector<std::string> options,
                             const std::string& program, int log)
{
    std::vector<std::string> words{test::program(program), "serve", "--data", data.string(), "--no-samples"};
    const auto has_option = [&](const char* flag) {
        return std::ranges::find(options, flag) != options.end();
    };
    if (!has_option("--log")) words.insert(words.end(), {"--log", "warn"});
    if (!has_option("--listen")) words.insert(words.end(), {"--listen", "127.0.0.1:0"});
    if (!has_option("--token") && !has_option("--no-open")) words.push_back("--open");
    std::erase(options, "--no-open");
    if (!has_option("--gpu")) words.insert(words.end(), {"--gpu", "software"});
    if (std::getenv("VITRINE_TEST_DATABASE") != nullptr && !has_option("--database"))
        words.insert(words.end(), {"--database", catalog_location(data)});
    if (const char* const store = std::getenv("VITRINE_TEST_OBJECT_STORE");
        store != nullptr && !has_option("--blobs"))
        words.insert(words.end(),
                     {"--blobs", "s3://vitrine/" + name_in_stores(data), "--s3-endpoint", store});
    words.insert(words.end(), options.begin(), options.end());
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = spawn(words, {.output = ends[1], .error = log});
    ::close(ends[1]);
    line_ = read_line(ends[0], Clock::now() + wait_timeout);
    ::close(ends[0]);
    const auto scheme = line_.find("://");
    const auto end = line_.find(" (", scheme); // of the address, before the link to sign in
    const auto colon = line_.rfind(':', end);
    if (scheme != line_.npos && colon > scheme) port_ = std::atoi(line_.c_str() + colon + 1);
}

ServerProcess::~ServerProcess()
{
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void ServerProcess::signal(int number) const
{
    if (pid_ > 0) ::kill(pid_, number);
}

std::optional<int> ServerProcess::wait(std::chrono::milliseconds limit)
{
    for (auto until = Clock::now() + limit; pid_ > 0; std::this_thread::sleep_for(10ms)) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            pid_ = -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (Clock::now() > until) return std::nullopt;
    }
    return std::nullopt;
}

} // namespace vitrine::test
