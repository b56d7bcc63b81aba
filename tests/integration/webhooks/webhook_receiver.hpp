#pragma once
// An HTTP server on a free loopback port that takes deliveries of webhooks, one connection at a time or more.

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/eventually.hpp"

namespace vitrine::test {

struct ReceivedDelivery {
    std::map<std::string, std::string> fields; // names in lower case
    std::string path, body;
};

class WebhookReceiver {
public:
    // Returns the response without Content-Length and body: "200 OK", or "503 Busy\r\nRetry-After: 5"; empty:
    // the connection is closed. `number`: of the delivery, from 0. May block.
    using Answer = std::function<std::string(const ReceivedDelivery& delivery, std::size_t number)>;

    explicit WebhookReceiver(Answer answer);
    ~WebhookReceiver();
    WebhookReceiver(const WebhookReceiver&) = delete;
    WebhookReceiver& operator=(const WebhookReceiver&) = delete;

    std::string url(const std::string& path = "/hook") const;
    // Waits until it has `count`, and returns all that it has.
    std::vector<ReceivedDelivery> await(std::size_t count);
    std::vector<ReceivedDelivery> received() const;

private:
    void accept_all(const std::stop_token& stop);
    void serve(int descriptor);

    Answer answer_;
    int listener_ = -1;
    int port_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<ReceivedDelivery> received_;
    std::vector<std::jthread> connections_; // of the thread below
    std::jthread thread_;
};

// Whether one of the signatures is that of the secret, computed here without the code of the server.
bool is_signed(const ReceivedDelivery& delivery, const std::string& secret);

} // namespace vitrine::test
