#include "server/services/response_jobs/kept_answers.hpp"

#include <charconv>
#include <cstddef>
#include <tuple>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

// The file begins with the size of the head.
constexpr std::size_t size_digits = 8, max_head_bytes = 64 << 10;

DerivedKey key_of(const std::string& job)
{
    return {.content_hash = job, .kind = "answer", .parameters = {}};
}

std::string read_text(const DerivedFile& file, std::uint64_t offset, std::size_t count)
{
    const auto bytes = file.file->read(offset, count, {});
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

bool KeptAnswers::store(const std::string& job, std::string_view head, const WriteContent& body)
{
    if (head.size() > max_head_bytes) return false;
    const auto key = key_of(job);
    const bool is_stored = derived_.store(key, [&](const ContentSink& sink) -> Result<void> {
        sink(fmt::format("{:0{}x}", head.size(), size_digits));
        sink(head);
        return body(sink);
    });
    // Another process may be asked for it as soon as the job has succeeded; while the shared store is gone,
    // only this one has it.
    if (is_stored && derived_.is_shared()) std::ignore = derived_.publish(key);
    return is_stored;
}

std::optional<KeptAnswer> KeptAnswers::find(const std::string& job)
{
    auto file = derived_.open(key_of(job));
    if (!file) return std::nullopt;
    const auto digits = read_text(*file, 0, size_digits);
    std::size_t size = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
    const auto body = size_digits + size;
    if (parsed.ec != std::errc() || size > max_head_bytes || body > file->size_bytes) return std::nullopt;
    return KeptAnswer{read_text(*file, size_digits, size), std::move(*file), body};
}

void KeptAnswers::remove(const std::string& job)
{
    derived_.remove(key_of(job));
}

} // namespace vitrine::server
