#include "tests/integration/webhooks/webhook_receiver.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/io/base64.hpp"
#include "tests/integration/socket.hpp"

namespace vitrine::test {
namespace {

std::string lower_case(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

// Reads until `end` occurs or the connection ends.
bool read_until(int descriptor, std::string& text, std::size_t size, std::string_view end)
{
    std::array<char, 4096> piece{};
    while (end.empty() ? text.size() < size : text.find(end) == text.npos) {
        const auto got = ::recv(descriptor, piece.data(), piece.size(), 0);
        if (got <= 0) return false;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return true;
}

std::optional<ReceivedDelivery> read_delivery(int descriptor)
{
    std::string text;
    if (!read_until(descriptor, text, 0, "\r\n\r\n")) return std::nullopt;
    const auto head_end = text.find("\r\n\r\n") + 4;
    ReceivedDelivery delivery;
    delivery.path = text.substr(5, text.find(' ', 5) - 5); // "POST /path HTTP/1.1"
    for (auto at = text.find("\r\n") + 2; at < head_end - 2;) {
        const auto colon = text.find(": ", at);
        const auto end = text.find("\r\n", at);
        delivery.fields[lower_case(text.substr(at, colon - at))] = text.substr(colon + 2, end - colon - 2);
        at = end + 2;
    }
    const auto size = head_end + std::stoul(delivery.fields["content-length"]);
    if (!read_until(descriptor, text, size, "")) return std::nullopt;
    delivery.body = text.substr(head_end);
    return delivery;
}

} // namespace

WebhookReceiver::WebhookReceiver(Answer answer)
    : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 64), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
}

WebhookReceiver::~WebhookReceiver()
{
    thread_.request_stop();
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    connections_.clear();
    ::close(listener_);
}

std::string WebhookReceiver::url(const std::string& path) const
{
    return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

void WebhookReceiver::accept_all(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor >= 0) connections_.emplace_back([this, descriptor] { serve(descriptor); });
    }
}

void WebhookReceiver::serve(int descriptor)
{
    if (auto delivery = read_delivery(descriptor)) {
        std::size_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            number = received_.size();
            received_.push_back(*delivery);
        }
        arrived_.notify_all();
        if (const auto head = answer_(*delivery, number); !head.empty()) {
            const auto text = fmt::format("HTTP/1.1 {}\r\nContent-Length: 2\r\n\r\nok", head);
            ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
        }
    }
    ::close(descriptor);
}

std::vector<ReceivedDelivery> WebhookReceiver::await(std::size_t count)
{
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, wait_timeout, [&] { return received_.size() >= count; });
    return received_;
}

std::vector<ReceivedDelivery> WebhookReceiver::received() const
{
    const std::lock_guard lock(mutex_);
    return received_;
}

bool is_signed(const ReceivedDelivery& delivery, const std::string& secret)
{
    const auto key = io::decode_base64(secret.substr(std::string("whsec_").size())).value();
    const auto text = delivery.fields.at("webhook-id") + "." + delivery.fields.at("webhook-timestamp") + "." +
                      delivery.body;
    std::array<unsigned char, 32> digest{};
    ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
    const auto wanted =
        "v1," + io::encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
    const auto all = " " + delivery.fields.at("webhook-signature") + " ";
    return all.contains(" " + wanted + " ");
}

} // namespace vitrine::test
