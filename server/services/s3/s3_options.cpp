#include "server/services/s3/s3_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

constexpr std::string_view scheme_prefix = "s3://";
constexpr std::size_t max_file_bytes = 64 * 1024;
constexpr std::size_t max_prefix_bytes = 512;

using Failure = std::unexpected<std::string>;

std::string variable(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): before any thread
    return value ? value : "";
}

bool consists_of(std::string_view text, std::string_view others)
{
    return std::ranges::all_of(text, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               others.contains(c);
    });
}

// No byte that would end a header.
bool is_visible(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

// Returns what is wrong with s3://BUCKET[/PREFIX]; empty: nothing, and the members are filled in.
std::string read_location(const std::string& location, S3Options& options)
{
    const auto rest = std::string_view(location).substr(scheme_prefix.size());
    const auto slash = rest.find('/');
    options.bucket = rest.substr(0, slash);
    if (options.bucket.empty() || options.bucket.size() > 63 || !consists_of(options.bucket, ".-_") ||
        options.bucket.starts_with('.'))
        return location + " must be s3://BUCKET[/PREFIX] with a bucket of 1 to 63 letters, digits, . - and _";
    if (slash == rest.npos) return {};
    auto prefix = rest.substr(slash + 1);
    if (prefix.ends_with('/')) prefix.remove_suffix(1);
    if (prefix.empty()) return {};
    for (std::string part; const char c : std::string(prefix) + '/') {
        if (c != '/') {
            part += c;
            continue;
        }
        if (part.empty() || part == "." || part == "..")
            return location + " has an empty part, . or .. in its prefix";
        part.clear();
    }
    if (prefix.size() > max_prefix_bytes || !consists_of(prefix, "!_.*'()/-"))
        return location +
               " has a prefix that is longer than 512 bytes or not of letters, digits and !_.*'()/-";
    options.prefix = std::string(prefix) + '/';
    return {};
}

std::string read_endpoint(const std::string& endpoint, S3Options& options)
{
    const auto end = endpoint.find("://");
    options.scheme = endpoint.substr(0, end);
    if (end != endpoint.npos) options.host = endpoint.substr(end + 3);
    if (options.host.ends_with('/')) options.host.pop_back();
    const bool known = options.scheme == "http" || options.scheme == "https";
    if (!known || options.host.empty() || options.host.size() > 255 || !consists_of(options.host, ".-_:[]"))
        return "the endpoint must be http[s]://HOST[:PORT], without user, path and query";
    // As the header Host has it: without the port that the scheme implies.
    const std::string implied = options.scheme == "http" ? ":80" : ":443";
    if (options.host.ends_with(implied)) options.host.resize(options.host.size() - implied.size());
    return {};
}

std::expected<S3Keys, std::string> checked_keys(S3Keys keys)
{
    for (const auto* text : {&keys.access_key, &keys.secret_key, &keys.session_token})
        if (!is_visible(*text))
            return Failure("the keys of the object store have blanks or control characters");
    return keys;
}

std::expected<S3Keys, std::string> find_keys(const std::filesystem::path& file)
{
    if (!file.empty()) return read_s3_keys(file);
    S3Keys keys{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                variable("AWS_SESSION_TOKEN")};
    if (keys.access_key.empty() || keys.secret_key.empty())
        return Failure(
            "the object store needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name "
            "a file with --s3-credentials");
    return checked_keys(std::move(keys));
}

std::string find_region(const std::string& given)
{
    for (const auto& region : {given, variable("AWS_REGION"), variable("AWS_DEFAULT_REGION")})
        if (!region.empty()) return region;
    return "us-east-1";
}

} // namespace

std::expected<S3Keys, std::string> read_s3_keys(const std::filesystem::path& file)
{
    std::error_code ignored;
    std::ifstream in;
    if (std::filesystem::is_regular_file(file, ignored)) in.open(file, std::ios::binary);
    if (!in.is_open()) return Failure(fmt::format("the file of keys {} cannot be read", file.native()));
    std::string text(max_file_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_file_bytes)
        return Failure(fmt::format("the file of keys {} is larger than 64 KiB", file.native()));
    S3Keys keys;
    std::istringstream lines(text);
    bool in_default = true;
    for (std::string line; std::getline(lines, line);) {
        std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
        if (line.starts_with('[')) in_default = line == "[default]";
        const auto equals = line.find('=');
        if (!in_default || line.starts_with('#') || equals == line.npos) continue;
        const auto name = line.substr(0, equals);
        if (name == "aws_access_key_id") keys.access_key = line.substr(equals + 1);
        if (name == "aws_secret_access_key") keys.secret_key = line.substr(equals + 1);
        if (name == "aws_session_token") keys.session_token = line.substr(equals + 1);
    }
    if (keys.access_key.empty() || keys.secret_key.empty())
        return Failure(
            fmt::format("the file of keys {} has no aws_access_key_id and aws_secret_access_key in "
                        "its profile [default]",
                        file.native()));
    return checked_keys(std::move(keys));
}

bool is_s3_location(const std::string& location)
{
    return location.starts_with(scheme_prefix);
}

std::expected<S3Options, std::string> make_s3_options(const S3Settings& settings)
{
    S3Options options;
    if (auto wrong = read_location(settings.location, options); !wrong.empty()) return Failure(wrong);
    options.region = find_region(settings.region);
    if (options.region.size() > 64 || !consists_of(options.region, "-_"))
        return Failure("the region of the object store must be a word such as eu-central-1");
    const bool is_aws = settings.endpoint.empty();
    const auto endpoint = is_aws ? "https://s3." + options.region + ".amazonaws.com" : settings.endpoint;
    if (auto wrong = read_endpoint(endpoint, options); !wrong.empty()) return Failure(wrong);
    // A certificate for *.s3.REGION.amazonaws.com does not cover a bucket with dots.
    options.path_style = settings.addressing == "path" ||
                         (settings.addressing == "auto" && (!is_aws || options.bucket.contains('.')));
    auto keys = find_keys(settings.credentials);
    if (!keys) return Failure(keys.error());
    options.keys = std::move(*keys);
    options.credentials = settings.credentials;
    options.ca = settings.ca;
    std::error_code ignored;
    if (!options.ca.empty() && !std::filesystem::is_regular_file(options.ca, ignored))
        return Failure(fmt::format("there is no file of certificates {}", options.ca.native()));
    return options;
}

} // namespace vitrine::server
