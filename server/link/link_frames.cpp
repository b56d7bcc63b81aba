#include "server/link/link_frames.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint8_t binary_flag = 1;
constexpr std::uint8_t last_flag = 2;

// Limits of texts in bytes, by member.
constexpr std::size_t max_name_bytes = 256; // ids, versions, principals, codes
constexpr std::size_t max_query_bytes = 8 * 1024;
constexpr std::size_t max_detail_bytes = 4 * 1024;
constexpr std::size_t max_reason_bytes = 123; // RFC 6455, 5.5

class FrameWriter {
public:
    FrameWriter(std::size_t type, std::uint8_t flags, std::uint32_t stream)
    {
        number(static_cast<std::uint8_t>(type));
        number(flags);
        number(std::uint16_t{0});
        number(stream);
    }
    template <class Number>
    void number(Number value)
    {
        for (std::size_t i = 0; i < sizeof value; ++i)
            bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
    void digest(const LinkDigest& value)
    {
        bytes_.append(reinterpret_cast<const char*>(value.data()), value.size());
    }
    void text(std::string_view value, std::size_t limit)
    {
        const auto kept = truncate_utf8(value, limit);
        number(static_cast<std::uint16_t>(kept.size()));
        bytes_ += kept;
    }
    void rest(std::string_view value) { bytes_ += value; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

// Reads beyond the end give zeros; then `is_bad` is set.
class FrameReader {
public:
    explicit FrameReader(std::string_view bytes) : rest_(bytes) {}

    template <class Number>
    void number(Number& value)
    {
        std::uint64_t read = 0;
        const auto part = take(sizeof value);
        for (std::size_t i = 0; i < part.size(); ++i)
            read |= static_cast<std::uint64_t>(static_cast<unsigned char>(part[i])) << (8 * i);
        value = static_cast<Number>(read);
    }
    void digest(LinkDigest& value)
    {
        const auto part = take(value.size());
        if (!part.empty()) std::memcpy(value.data(), part.data(), part.size());
    }
    void text(std::string& value, std::size_t limit)
    {
        std::uint16_t size = 0;
        number(size);
        is_bad_ = is_bad_ || size > limit;
        value = take(size);
    }
    void rest(std::string_view& value) { value = take(rest_.size()); }
    bool is_complete() const { return !is_bad_ && rest_.empty(); }

private:
    std::string_view take(std::size_t count)
    {
        is_bad_ = is_bad_ || count > rest_.size();
        if (is_bad_) return {};
        const auto part = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return part;
    }

    std::string_view rest_;
    bool is_bad_ = false;
};

// The members behind the head, in their order, for both directions.
template <class Codec, class Frame>
void visit_members(Codec& codec, Frame& frame)
{
    using Plain = std::remove_const_t<Frame>;
    if constexpr (std::is_same_v<Plain, LinkChallenge>) {
        codec.digest(frame.nonce);
    } else if constexpr (std::is_same_v<Plain, LinkProof>) {
        codec.digest(frame.nonce);
        codec.digest(frame.mac);
    } else if constexpr (std::is_same_v<Plain, LinkWelcome>) {
        codec.digest(frame.mac);
    } else if constexpr (std::is_same_v<Plain, StreamOpen>) {
        codec.text(frame.asset, max_name_bytes);
        codec.text(frame.version, max_name_bytes);
        codec.text(frame.query, max_query_bytes);
        codec.text(frame.principal, max_name_bytes);
        codec.text(frame.request, max_name_bytes);
        codec.text(frame.trace, max_name_bytes);
    } else if constexpr (std::is_same_v<Plain, StreamRejected>) {
        codec.number(frame.status);
        codec.number(frame.retry_after_s);
        codec.text(frame.code, max_name_bytes);
        codec.text(frame.detail, max_detail_bytes);
    } else if constexpr (std::is_same_v<Plain, StreamData>) {
        codec.rest(frame.bytes);
    } else if constexpr (std::is_same_v<Plain, StreamCredit>) {
        codec.number(frame.bytes);
    } else if constexpr (std::is_same_v<Plain, StreamClose>) {
        codec.number(frame.code);
        codec.text(frame.reason, max_reason_bytes);
    }
}

template <class Frame>
constexpr bool is_of_stream = requires(Frame frame) { frame.stream; };

struct LinkFrameHead {
    std::uint8_t type = 0;
    std::uint8_t flags = 0;
    std::uint16_t zero = 0;
    std::uint32_t stream = 0;
};

template <class Frame>
std::expected<LinkFrame, std::string> decode_members(const LinkFrameHead& head, FrameReader& in)
{
    Frame frame;
    if (is_of_stream<Frame> != (head.stream != 0))
        return std::unexpected(fmt::format("a frame of type {} of stream {}", head.type, head.stream));
    if constexpr (is_of_stream<Frame>) frame.stream = head.stream;
    visit_members(in, frame);
    if (!in.is_complete())
        return std::unexpected(fmt::format("a frame of type {} with a wrong size", head.type));
    constexpr bool is_data = std::is_same_v<Frame, StreamData>;
    const unsigned flags = is_data ? binary_flag | last_flag : 0u;
    if (head.zero != 0 || (head.flags & ~flags) != 0)
        return std::unexpected(fmt::format("a frame of type {} with unknown flags", head.type));
    if constexpr (is_data) {
        frame.is_binary = (head.flags & binary_flag) != 0;
        frame.is_last = (head.flags & last_flag) != 0;
        if (frame.bytes.size() > max_chunk_bytes || (frame.bytes.empty() && !frame.is_last))
            return std::unexpected(fmt::format("a piece of {} bytes", frame.bytes.size()));
    }
    return frame;
}

template <std::size_t type = 0>
std::expected<LinkFrame, std::string> decode_type(const LinkFrameHead& head, FrameReader& in)
{
    if constexpr (type == std::variant_size_v<LinkFrame>) {
        return std::unexpected(fmt::format("a frame of unknown type {}", head.type));
    } else {
        if (head.type != type + 1) return decode_type<type + 1>(head, in);
        return decode_members<std::variant_alternative_t<type, LinkFrame>>(head, in);
    }
}

} // namespace

std::string encode_link_frame(const LinkFrame& frame)
{
    return std::visit(
        [&](const auto& one) {
            std::uint32_t stream = 0;
            std::uint8_t flags = 0;
            using Frame = std::remove_cvref_t<decltype(one)>;
            if constexpr (is_of_stream<Frame>) stream = one.stream;
            if constexpr (std::is_same_v<Frame, StreamData>)
                flags = static_cast<std::uint8_t>((one.is_binary ? binary_flag : 0) |
                                                  (one.is_last ? last_flag : 0));
            FrameWriter out(frame.index() + 1, flags, stream);
            visit_members(out, one);
            return out.take();
        },
        frame);
}

std::expected<LinkFrame, std::string> decode_link_frame(std::string_view bytes)
{
    FrameReader in(bytes);
    LinkFrameHead head;
    in.number(head.type);
    in.number(head.flags);
    in.number(head.zero);
    in.number(head.stream);
    return decode_type(head, in);
}

} // namespace vitrine::server
