#include "server/link/link_client.hpp"

#include <algorithm>
#include <utility>

#include "server/link/link_secret.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_image_bytes = 80u << 20; // a PNG of the largest --preview-side
constexpr std::size_t max_unsent_bytes = 1u << 20; // texts of a viewer

} // namespace

LinkClient::LinkClient(const asio::any_io_executor& executor, std::string secret, const Times& times)
    : secret_(std::move(secret)), times_(times), timer_(executor), nonce_(make_challenge())
{
}

void LinkClient::arm(std::chrono::milliseconds time, std::string_view why)
{
    timer_.expires_after(time);
    timer_.async_wait([weak = weak_from_this(), number = ++armed_, why](boost::system::error_code cancelled) {
        const auto self = weak.lock();
        if (cancelled || !self || self->armed_ != number) return;
        if (why.empty())
            self->close(1000, "no preview is open");
        else
            self->fail(std::string(why));
    });
}

void LinkClient::disarm()
{
    ++armed_;
    timer_.cancel();
}

std::uint32_t LinkClient::open(StreamOpen open, std::shared_ptr<LinkedViewer> viewer)
{
    if (has_ended()) {
        viewer->lost();
        return 0;
    }
    if (is_ready_) disarm();
    open.stream = ++last_stream_;
    viewers_.emplace(open.stream,
                     LinkedStream{std::move(viewer), StreamReceiver(open.stream, max_image_bytes)});
    if (is_ready_)
        send_open(open);
    else
        waiting_.push_back(std::move(open));
    return last_stream_;
}

void LinkClient::send_open(const StreamOpen& open)
{
    auto& opening = viewers_.at(open.stream).opening.emplace(timer_.get_executor(), times_.open);
    opening.async_wait([weak = weak_from_this(), number = open.stream](boost::system::error_code cancelled) {
        if (const auto self = weak.lock(); !cancelled && self) self->end_opening(number);
    });
    send_frame(open);
}

void LinkClient::end_opening(std::uint32_t stream)
{
    const auto found = viewers_.find(stream);
    if (found == viewers_.end() || found->second.is_accepted) return;
    const auto is_accepted = [](const auto& one) { return one.second.is_accepted; };
    if (std::ranges::none_of(viewers_, is_accepted))
        return fail("it answers pings, but has not opened a preview in time");
    send_frame(StreamClose{stream, 1001, ""});
    if (const auto still = viewers_.find(stream); still != viewers_.end()) take(still)->lost();
}

void LinkClient::send(std::uint32_t stream, std::string text)
{
    auto* const sender = writer_.find(stream);
    if (sender == nullptr) return;
    if (sender->queued_bytes() + text.size() > max_unsent_bytes) {
        const auto found = viewers_.find(stream);
        send_frame(StreamClose{stream, 1008, "too many messages"});
        if (found != viewers_.end()) take(found)->closed({1008, "too many messages"});
        return;
    }
    sender->push(WebSocketText{std::move(text)});
    writer_.wake();
}

void LinkClient::consumed(std::uint32_t stream, std::uint64_t cost)
{
    const auto found = viewers_.find(stream);
    if (found == viewers_.end()) return;
    found->second.receiver.consumed(cost);
    if (const auto credit = found->second.receiver.take_credit()) send_frame(*credit);
}

void LinkClient::leave(std::uint32_t stream)
{
    const auto found = viewers_.find(stream);
    if (found == viewers_.end()) return;
    const auto waits = std::ranges::find(waiting_, stream, &StreamOpen::stream);
    if (waits != waiting_.end())
        waiting_.erase(waits);
    else
        send_frame(StreamClose{stream, 1001, ""});
    if (const auto still = viewers_.find(stream); still != viewers_.end()) take(still);
}

void LinkClient::close(std::uint16_t code, std::string reason)
{
    if (has_ended()) return;
    writer_.close(code, std::move(reason));
    disarm();
    waiting_.clear();
    for (auto& [number, stream] : std::exchange(viewers_, {}))
        stream.viewer->lost();
}

void LinkClient::stop()
{
    if (has_ended()) return;
    auto viewers = std::exchange(viewers_, {});
    close(1001, "the process is stopping");
    for (auto& [number, stream] : viewers)
        if (stream.is_accepted)
            stream.viewer->closed({1001, "the server is stopping"});
        else
            stream.viewer->lost();
}

void LinkClient::fail(std::string why)
{
    if (has_ended()) return;
    failure_ = std::move(why);
    close(1008, failure_);
}

void LinkClient::send_frame(const LinkFrame& frame)
{
    if (!has_ended() && !writer_.send(frame)) fail("it does not read");
}

std::shared_ptr<LinkedViewer> LinkClient::take(StreamMap::iterator found)
{
    auto viewer = std::move(found->second.viewer);
    writer_.remove(found->first);
    viewers_.erase(found);
    if (viewers_.empty() && is_ready_) arm(times_.idle, "");
    return viewer;
}

void LinkClient::receive(std::string_view)
{
    fail("it has sent a text message");
}

void LinkClient::receive_binary(std::string_view bytes)
{
    if (has_ended()) return;
    const auto frame = decode_link_frame(bytes);
    if (!frame) return fail("it has sent " + frame.error());
    if (!is_ready_ && frame->index() > 2) return fail("it has sent a frame of a stream before its proof");
    std::visit([this](const auto& one) { on(one); }, *frame);
}

void LinkClient::on(const LinkChallenge& challenge)
{
    if (challenge_) return fail("it has sent a second challenge");
    challenge_ = challenge.nonce;
    send_frame(LinkProof{nonce_, link_mac(secret_, LinkEnd::api, *challenge_, nonce_)});
}

void LinkClient::on(const LinkWelcome& welcome)
{
    if (!challenge_ || is_ready_) return fail("it has sent a welcome at a wrong time");
    if (!is_equal(welcome.mac, link_mac(secret_, LinkEnd::worker, *challenge_, nonce_)))
        return fail("its proof is wrong: both processes need the same secret");
    is_ready_ = true;
    disarm();
    if (viewers_.empty()) arm(times_.idle, "");
    for (const auto& open : std::exchange(waiting_, {}))
        if (!has_ended()) send_open(open);
}

// The stream, or the end if it has ended, or if its state is wrong, which ends the link.
LinkClient::StreamMap::iterator LinkClient::find(std::uint32_t stream, bool is_accepted)
{
    const auto found = viewers_.find(stream);
    const bool is_known = stream <= last_stream_;
    if (found != viewers_.end() && found->second.is_accepted == is_accepted) return found;
    if (!is_known || found != viewers_.end()) fail("it has sent a frame that does not fit its stream");
    return viewers_.end();
}

void LinkClient::on(const StreamAccepted& accepted)
{
    const auto found = find(accepted.stream, false);
    if (found == viewers_.end()) return;
    found->second.is_accepted = true;
    found->second.opening.reset();
    writer_.add(accepted.stream);
    found->second.viewer->accepted();
}

void LinkClient::on(const StreamRejected& rejected)
{
    const auto found = find(rejected.stream, false);
    if (found == viewers_.end()) return;
    if (rejected.status < 400 || rejected.status > 599) return fail("it has sent an invalid status");
    take(found)->rejected({.status = rejected.status,
                           .code = rejected.code,
                           .detail = rejected.detail,
                           .retry_after_s = rejected.retry_after_s});
}

void LinkClient::on(const StreamData& data)
{
    const auto found = find(data.stream, true);
    if (found == viewers_.end()) return;
    auto message = found->second.receiver.receive(data);
    if (!message) return fail("it has sent " + message.error());
    if (const auto credit = found->second.receiver.take_credit()) send_frame(*credit);
    if (!*message || has_ended()) return;
    const auto viewer = found->second.viewer; // the call may remove the stream
    viewer->receive(std::move(**message));
}

void LinkClient::on(const StreamCredit& credit)
{
    if (find(credit.stream, true) == viewers_.end()) return;
    auto* const sender = writer_.find(credit.stream);
    if (sender == nullptr || !sender->add_credit(credit.bytes))
        return fail("it has granted more credit than the window");
    writer_.wake();
}

// An unknown code would be rejected by the viewer's end.
void LinkClient::on(const StreamClose& close)
{
    const auto found = find(close.stream, true);
    if (found == viewers_.end()) return;
    const bool is_code = close.code >= 1000 && close.code <= 4999 && close.code != 1005 && close.code != 1006;
    take(found)->closed({is_code ? close.code : std::uint16_t{1011}, close.reason});
}

} // namespace vitrine::server
