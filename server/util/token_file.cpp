#include "server/util/token_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <span>
#include <stdexcept>

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <unistd.h>

#include "server/util/error.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t min_token_length = 16; // characters
constexpr std::size_t max_token_length = 4096;

fs::path file_in(const fs::path& root)
{
    return root / "token";
}

std::string make_token()
{
    std::array<unsigned char, 24> random{};
    if (RAND_bytes(random.data(), random.size()) != 1)
        throw std::runtime_error("no random numbers for a token");
    std::array<unsigned char, random.size() / 3 * 4 + 1> digits{};
    EVP_EncodeBlock(digits.data(), random.data(), random.size());
    std::string token(reinterpret_cast<const char*>(digits.data()), digits.size() - 1);
    for (char& digit : token) { // base64url: it becomes part of a link
        if (digit == '+') digit = '-';
        if (digit == '/') digit = '_';
    }
    return token;
}

bool is_token(const std::string& text)
{
    const auto is_visible = [](char c) { return c > ' ' && c < '\x7f'; };
    return text.size() >= min_token_length && text.size() <= max_token_length &&
           std::ranges::all_of(text, is_visible);
}

// Writes the whole file under another name and gives it its own name only if no other process did.
void write_token(const fs::path& root, const std::string& token)
{
    const fs::path path = file_in(root);
    std::string temporary =
        path.native() + ".XXXXXX"; // for mkostemp(), which makes it readable by its owner alone
    OpenFile file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.descriptor() < 0) throw_storage_error(errno, "create", temporary);
    const std::string line = token + "\n";
    file.write(std::as_bytes(std::span(line)), temporary);
    file.sync(temporary);
    const int failure = ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
    fs::remove(temporary);
    if (failure != 0 && failure != EEXIST) throw_storage_error(failure, "create", path.native());
    sync_folder(root);
}

} // namespace

std::optional<std::string> find_token(const fs::path& root)
{
    std::ifstream in(file_in(root), std::ios::binary);
    std::string line;
    if (!in || !std::getline(in, line) || !is_token(line)) return std::nullopt;
    return line;
}

std::string load_or_create_token(const fs::path& root)
{
    make_folders(root);
    if (!fs::exists(file_in(root))) write_token(root, make_token());
    if (auto token = find_token(root)) return *token;
    throw std::runtime_error(file_in(root).string() +
                             " holds no token that can be read; delete the file to get another token");
}

std::optional<std::string> read_secret(const fs::path& file)
{
    constexpr std::size_t max_secret_bytes = 4096;
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.resize(text.find_last_not_of("\r\n") + 1);
    if (text.empty() || text.size() > max_secret_bytes) return std::nullopt;
    return text;
}

} // namespace vitrine::server
