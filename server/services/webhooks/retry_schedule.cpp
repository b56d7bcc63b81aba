// When a delivery is attempted again.

#include <algorithm>

#include "server/services/webhooks/webhook_sender.hpp"

namespace vitrine::server {

namespace {

constexpr int growth = 4; // of the pause from one attempt to the next

bool is_success(int status)
{
    return status >= 200 && status < 300;
}

bool is_redirect(int status)
{
    return status >= 300 && status < 400;
}

} // namespace

std::chrono::milliseconds retry_pause(const WebhookOptions& options, std::uint32_t attempt, double jitter)
{
    auto pause = options.first_retry;
    for (std::uint32_t i = 1; i < attempt && pause < options.max_retry; ++i)
        pause *= growth;
    pause = std::min(pause, options.max_retry);
    return std::chrono::milliseconds(static_cast<std::chrono::milliseconds::rep>(
        static_cast<double>(pause.count()) * (0.75 + 0.5 * jitter)));
}

DeliveryOutcome judge_reply(const WebhookOptions& options, std::uint32_t attempt, const WebhookReply& reply,
                            double jitter)
{
    DeliveryOutcome outcome{
        .status = reply.status, .problem_code = reply.problem_code, .problem_detail = reply.problem_detail};
    if (is_success(reply.status)) {
        outcome.kind = DeliveryOutcome::Kind::delivered;
        return outcome;
    }
    if (reply.status != 0) {
        outcome.problem_code = is_redirect(reply.status) ? "redirect" : "status";
        outcome.problem_detail = is_redirect(reply.status) ? "Redirects are not followed."
                                                           : "The receiver has answered with an error.";
    }
    if (reply.status == 410) {
        outcome.kind = DeliveryOutcome::Kind::gone;
        return outcome;
    }
    outcome.kind = attempt < options.attempts ? DeliveryOutcome::Kind::failed : DeliveryOutcome::Kind::dead;
    const auto asked = std::clamp<std::chrono::milliseconds>(reply.retry_after, std::chrono::milliseconds(0),
                                                             options.max_retry_after);
    outcome.pause = std::max(retry_pause(options, attempt, jitter), asked);
    return outcome;
}

} // namespace vitrine::server
