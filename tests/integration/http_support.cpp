#include "tests/integration/http_support.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <arpa/inet.h>
#include <boost/json/parse.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loaders/base/ascii.hpp"
#include "server/samples/models.hpp"
#include "server/samples/samples.hpp"
#include "tests/support/paths.hpp"

extern char** environ; // NOLINT

namespace vitrine::test {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

bool readable(int descriptor, Clock::time_point until)
{
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&wait, 1, static_cast<int>(std::max<long>(0, left))) > 0;
}

// Returns the first line of output.
std::string read_line(int descriptor, Clock::time_point until)
{
    std::string line;
    char c = 0;
    while (readable(descriptor, until) && ::read(descriptor, &c, 1) == 1 && c != '\n')
        line.push_back(c);
    return line;
}

pid_t spawn(const std::vector<std::string>& words, int output)
{
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t pid = -1;
    if (::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

std::string read_chunks(Socket& socket)
{
    std::string body;
    for (;;) {
        auto line = socket.receive_until("\r\n");
        auto size = std::strtoul(line.c_str(), nullptr, 16);
        if (size == 0) return body;
        body += socket.receive_exactly(size);
        socket.receive_exactly(2);
    }
}

std::vector<UploadFile> sample(const std::string& name, const scene::Scene& scene, std::string_view folder)
{
    std::vector<UploadFile> files;
    for (const auto& format : samples::write_formats(name, scene)) {
        if (format.folder != folder) continue;
        for (const auto& file : format.files) {
            files.push_back({file.name, std::string(reinterpret_cast<const char*>(file.bytes.data()),
                                                    file.bytes.size())});
        }
    }
    return files;
}

} // namespace

TempDir::TempDir()
{
    std::string name = (std::filesystem::temp_directory_path() / "vitrine-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
}

TempDir::~TempDir()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

ServerProcess::ServerProcess(const std::filesystem::path& data, std::vector<std::string> options,
                             const std::string& program)
{
    std::vector<std::string> words{test::program(program), "serve", "--data", data.string(),
                                   "--no-samples",         "--log", "warn"};
    const auto has_option = [&](const char* flag) {
        return std::ranges::find(options, flag) != options.end();
    };
    if (!has_option("--listen")) words.insert(words.end(), {"--listen", "127.0.0.1:0"});
    if (!has_option("--gpu")) words.insert(words.end(), {"--gpu", "software"});
    words.insert(words.end(), options.begin(), options.end());
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = spawn(words, ends[1]);
    ::close(ends[1]);
    line_ = read_line(ends[0], Clock::now() + patience);
    ::close(ends[0]);
    auto colon = line_.rfind(':');
    if (colon != line_.npos && colon > 10) port_ = std::atoi(line_.c_str() + colon + 1);
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

Socket::Socket(int port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int at_once = 1; // as in browsers: small messages do not wait for the previous acknowledgement
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
    if (::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) close();
}

Socket::~Socket()
{
    close();
}

void Socket::close()
{
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

bool Socket::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string Socket::receive(std::chrono::milliseconds limit)
{
    if (!rest_.empty()) return std::exchange(rest_, {});
    if (descriptor_ < 0 || !readable(descriptor_, Clock::now() + limit)) return {};
    std::string piece(64 * 1024, '\0');
    auto got = ::recv(descriptor_, piece.data(), piece.size(), 0);
    piece.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return piece;
}

std::string Socket::receive_until(std::string_view end, std::chrono::milliseconds limit)
{
    std::string text;
    for (auto until = Clock::now() + limit;;) {
        auto at = text.find(end);
        if (at != text.npos) {
            rest_ = text.substr(at + end.size()) + rest_;
            return text.substr(0, at + end.size());
        }
        auto piece = receive(std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()));
        if (piece.empty()) return text;
        text += piece;
    }
}

std::string Socket::receive_exactly(std::size_t count, std::chrono::milliseconds limit)
{
    std::string text;
    while (text.size() < count) {
        auto piece = receive(limit);
        if (piece.empty()) return text;
        text += piece;
    }
    rest_ = text.substr(count) + rest_;
    return text.substr(0, count);
}

std::string Socket::receive_all(std::chrono::milliseconds limit)
{
    std::string text;
    for (auto piece = receive(limit); !piece.empty(); piece = receive(limit))
        text += piece;
    return text;
}

bool Socket::ended(std::chrono::milliseconds limit)
{
    std::string piece(64 * 1024, '\0');
    auto until = Clock::now() + limit;
    while (readable(descriptor_, until)) {
        if (::recv(descriptor_, piece.data(), piece.size(), 0) <= 0) return true;
    }
    return false;
}

std::string Reply::header(std::string_view name) const
{
    for (const auto& [key, value] : headers) {
        if (key == name) return value;
    }
    return {};
}

json::value Reply::json() const
{
    return json::parse(body);
}

Reply read_reply(Socket& socket, bool head)
{
    Reply reply;
    auto text = socket.receive_until("\r\n\r\n");
    if (!text.starts_with("HTTP/1.1 ")) return reply;
    reply.status = std::atoi(text.c_str() + 9);
    for (std::size_t at = text.find("\r\n") + 2; at + 2 < text.size();) {
        auto end = text.find("\r\n", at);
        auto colon = text.find(':', at);
        reply.headers.emplace_back(ascii::lower(text.substr(at, colon - at)),
                                   text.substr(colon + 2, end - colon - 2));
        at = end + 2;
    }
    if (head || reply.status == 204 || reply.status == 304) return reply;
    if (reply.header("transfer-encoding") == "chunked") {
        reply.body = read_chunks(socket);
    } else {
        reply.body =
            socket.receive_exactly(std::strtoul(reply.header("content-length").c_str(), nullptr, 10));
    }
    return reply;
}

Reply fetch(int port, std::string_view method, std::string_view path, const Fields& fields,
            std::string_view body)
{
    Socket socket(port);
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", method, path, port);
    for (const auto& [name, value] : fields)
        text += fmt::format("{}: {}\r\n", name, value);
    if (!body.empty() || method == "POST" || method == "PATCH")
        text += fmt::format("Content-Length: {}\r\n", body.size());
    socket.send(text + "\r\n" + std::string(body));
    return read_reply(socket, method == "HEAD");
}

Reply upload(int port, const std::vector<UploadFile>& files)
{
    std::string body;
    for (const auto& file : files) {
        body += fmt::format(
            "--vitrine-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
            file.name);
        body += file.bytes + "\r\n";
    }
    body += "--vitrine-boundary--\r\n";
    return fetch(port, "POST", "/v1/assets",
                 {{"Content-Type", "multipart/form-data; boundary=vitrine-boundary"}}, body);
}

std::string text_at(const json::value& value, std::string_view pointer)
{
    boost::system::error_code error;
    auto found = value.find_pointer(pointer, error);
    return found && found->is_string() ? std::string(found->as_string()) : std::string();
}

json::value await_job(int port, const std::string& job, std::chrono::milliseconds limit)
{
    for (auto until = Clock::now() + limit;; std::this_thread::sleep_for(50ms)) {
        auto reply = get(port, "/v1/jobs/" + job);
        if (reply.status != 200) return nullptr;
        auto value = reply.json();
        auto state = text_at(value, "/state");
        if ((state != "queued" && state != "running") || Clock::now() > until) return value;
    }
}

std::string import_asset(int port, const std::vector<UploadFile>& files)
{
    auto reply = upload(port, files);
    if (reply.status != 201 && reply.status != 200) return {};
    auto value = reply.json();
    auto job = await_job(port, text_at(value, "/items/0/job/id"));
    return text_at(job, "/state") == "succeeded" ? text_at(value, "/items/0/asset/id") : std::string();
}

std::size_t count_files(const std::filesystem::path& folder)
{
    std::size_t files = 0;
    std::error_code gone; // files may be removed during the count
    for (std::filesystem::recursive_directory_iterator at(folder, gone), end; !gone && at != end;
         at.increment(gone))
        files += at->is_regular_file(gone) ? 1 : 0;
    return files;
}

bool await_files(const std::filesystem::path& folder, std::size_t count)
{
    return eventually([&] { return count_files(folder) == count; });
}

UploadFile koi_glb()
{
    return sample("koi", samples::make_koi(), "koi-glb").at(0);
}

UploadFile robot_glb()
{
    return sample("robot", samples::make_robot(), "robot-glb").at(0);
}

std::vector<UploadFile> robot_md5()
{
    return sample("robot", samples::make_robot(), "robot-md5");
}

UploadFile vase_glb()
{
    return sample("vase", samples::make_vase(), "vase-glb").at(0);
}

} // namespace vitrine::test
