#include "server/cli/access/login_store.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

std::string key_of(const std::string& url)
{
    return url.substr(0, url.find_last_not_of('/') + 1);
}

json::object read_logins()
{
    std::ifstream in(login_file(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    boost::system::error_code error;
    auto value = json::parse(text, error);
    return !error && value.is_object() ? std::move(value.as_object()) : json::object();
}

[[noreturn]] void fail_to_write(const fs::path& file)
{
    throw std::runtime_error(
        fmt::format("{} cannot be written: {}", file.string(), std::generic_category().message(errno)));
}

// As a whole: another process sees the file before or after the change.
void write_logins(const json::object& logins)
{
    const auto file = login_file();
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    auto part = file;
    part += fmt::format(".{}", ::getpid());
    const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) fail_to_write(file);
    const auto text = json::serialize(logins) + "\n";
    const bool is_written =
        ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const bool is_closed = ::close(descriptor) == 0;
    if (!is_written || !is_closed || ::rename(part.c_str(), file.c_str()) != 0) {
        ::unlink(part.c_str());
        fail_to_write(file);
    }
}

} // namespace

fs::path login_file()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): no other thread
        return std::string(value ? value : "");
    };
    const auto config = variable("XDG_CONFIG_HOME");
    const auto folder = config.empty() ? fs::path(variable("HOME")) / ".config" : fs::path(config);
    return folder / "vitrine" / "logins.json";
}

std::optional<std::string> find_login(const std::string& url)
{
    const auto logins = read_logins();
    const auto* token = logins.if_contains(key_of(url));
    if (!token || !token->is_string()) return std::nullopt;
    return std::string(token->as_string());
}

void store_login(const std::string& url, const std::string& token)
{
    auto logins = read_logins();
    logins[key_of(url)] = token;
    write_logins(logins);
}

void remove_login(const std::string& url)
{
    auto logins = read_logins();
    if (logins.erase(key_of(url)) > 0) write_logins(logins);
}

} // namespace vitrine::cli
