#include "loaders/worker/protocol/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "loaders/base/printable.hpp"

namespace vitrine::worker {
namespace {

constexpr std::size_t where_limit = 200;
constexpr std::size_t detail_limit = 600;

template <class T>
void put(std::string& out, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& out, std::string_view text)
{
    put(out, static_cast<std::uint64_t>(text.size()));
    out.append(text);
}

// Reads values written by put(); failure is sticky.
class PayloadReader {
public:
    explicit PayloadReader(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    T get()
    {
        T value{};
        if (!take(sizeof value)) return value;
        std::memcpy(&value, taken_.data(), sizeof value);
        return value;
    }
    std::string_view text() { return take(get<std::uint64_t>()) ? taken_ : std::string_view(); }
    bool failed() const { return failed_; }
    std::string_view rest() const { return rest_; }

private:
    bool take(std::uint64_t count)
    {
        failed_ = failed_ || count > rest_.size();
        if (failed_) return false;
        taken_ = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return true;
    }

    std::string_view rest_;
    std::string_view taken_;
    bool failed_ = false;
};

} // namespace

std::string encode_message(const Message& message)
{
    std::string out;
    put(out, MessageHead{static_cast<std::uint64_t>(message.type), message.value});
    out += message.payload;
    return out;
}

std::optional<Message> decode_message(std::string_view bytes)
{
    PayloadReader in(bytes);
    const auto [type, value] = in.get<MessageHead>();
    const bool is_valid_type = type >= static_cast<std::uint64_t>(MessageType::hello) &&
                               type <= static_cast<std::uint64_t>(MessageType::forbidden);
    if (in.failed() || !is_valid_type || in.rest().size() > payload_limit) return std::nullopt;
    return Message{static_cast<MessageType>(type), value, std::string(in.rest())};
}

Message to_message(const LoadError& error)
{
    Message message{MessageType::error, static_cast<std::uint64_t>(error.code), {}};
    put_text(message.payload, std::string_view(error.where).substr(0, where_limit));
    put_text(message.payload, std::string_view(error.detail).substr(0, detail_limit));
    return message;
}

LoadError to_error(const Message& message)
{
    PayloadReader in(message.payload);
    const auto where = printable(in.text(), where_limit);
    const auto detail = printable(in.text(), detail_limit);
    const bool is_valid_code = message.value <= static_cast<std::uint64_t>(LoadErrc::internal);
    if (in.failed() || !is_valid_code)
        return {LoadErrc::internal, {}, "the loader process reported an error that cannot be read"};
    return {static_cast<LoadErrc>(message.value), where, detail};
}

std::string encode_job(const LoaderJob& job)
{
    std::string out;
    put(out, job.command);
    put(out, job.scope);
    put(out, job.filter);
    put(out, job.extrapolation_policy);
    put(out, job.timeline_mode);
    put(out, job.package);
    put(out, job.surroundings);
    put(out, job.pixels);
    put(out, job.pose_time.value_or(std::numeric_limits<double>::quiet_NaN()));
    put(out, job.main);
    put(out, job.memory_bytes);
    put(out, job.result_bytes);
    put(out, job.cpu_seconds);
    put(out, job.limits);
    put(out, static_cast<std::uint64_t>(job.names.size()));
    for (const auto& name : job.names)
        put_text(out, name);
    return out;
}

std::optional<LoaderJob> decode_job(std::string_view bytes)
{
    PayloadReader in(bytes);
    LoaderJob job;
    job.command = in.get<LoaderCommand>();
    job.scope = in.get<Scope>();
    job.filter = in.get<FilterRequirement>();
    job.extrapolation_policy = in.get<ExtrapolationPolicy>();
    job.timeline_mode = in.get<TimelineMode>();
    job.package = in.get<PackageAccess>();
    job.surroundings = in.get<SurroundingsAccess>();
    job.pixels = in.get<PixelResult>();
    if (const auto pose_time = in.get<double>(); std::isfinite(pose_time)) job.pose_time = pose_time;
    job.main = in.get<std::uint32_t>();
    job.memory_bytes = in.get<std::uint64_t>();
    job.result_bytes = in.get<std::uint64_t>();
    job.cpu_seconds = in.get<std::uint64_t>();
    job.limits = in.get<Limits>();
    const auto count = in.get<std::uint64_t>();
    if (in.failed() || count > in.rest().size() / sizeof(std::uint64_t)) return std::nullopt;
    for (std::uint64_t i = 0; i < count; ++i)
        job.names.emplace_back(in.text());
    if (in.failed() || !in.rest().empty() || job.main >= job.names.size()) return std::nullopt;
    if (job.command > LoaderCommand::find_animation_files) return std::nullopt;
    if (job.scope != Scope::file && job.scope != Scope::upload) return std::nullopt;
    if (job.filter != FilterRequirement::required && job.filter != FilterRequirement::if_possible)
        return std::nullopt;
    if (job.extrapolation_policy != ExtrapolationPolicy::extrapolated &&
        job.extrapolation_policy != ExtrapolationPolicy::clamped)
        return std::nullopt;
    if (job.timeline_mode != TimelineMode::clips && job.timeline_mode != TimelineMode::single_clip)
        return std::nullopt;
    if (job.package != PackageAccess::none && job.package != PackageAccess::readable) return std::nullopt;
    if (job.surroundings != SurroundingsAccess::none && job.surroundings != SurroundingsAccess::readable)
        return std::nullopt;
    if (job.pixels != PixelResult::returned && job.pixels != PixelResult::left_out) return std::nullopt;
    return job;
}

} // namespace vitrine::worker
