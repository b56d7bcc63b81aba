#pragma once
// Sends deliveries to the URLs of webhooks (libcurl). Where a request goes is not trusted: the address is
// checked when the socket is made, after the name was resolved, so that no name can change its address in
// between; redirects are not followed, proxies of the environment not used. Any thread, blocking.

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "server/services/webhooks/webhook.hpp"

namespace vitrine::server {

// Whether the address is one of the public Internet: not of this machine, a private network, a link, a group,
// documentation, or the metadata service of a cloud; also not one of IPv6 that stands for such an IPv4 one.
bool is_public_address(const sockaddr& address);

// Why a text cannot be the URL of a webhook, as the end of a sentence; empty: it can. A name that has a
// private address is not found. Loads libcurl; throws std::runtime_error if it is not installed.
std::string url_fault(const std::string& url, bool allow_private);

struct WebhookRequest {
    std::string url;
    std::vector<std::string> headers{}; // "Name: value"
    std::string body{};
};

struct WebhookReply {
    int status = 0;             // 0: no response
    std::string problem_code{}; // "address_not_allowed", "no_connection", "timeout"; empty with a status
    std::string problem_detail{};
    std::chrono::seconds retry_after{0};
    bool interrupted = false; // by the stop token
};

// POST. Of the response only the status and Retry-After are of interest: at most 64 KiB are read.
WebhookReply send_webhook(const WebhookRequest& request, const WebhookOptions& options,
                          const std::stop_token& stop);

} // namespace vitrine::server
