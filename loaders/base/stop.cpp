#include "loaders/base/stop.hpp"

#include <utility>

namespace vitrine {
namespace {

thread_local const std::stop_token* innermost = nullptr;

} // namespace

StopScope::StopScope(std::stop_token token)
    : token_(std::move(token)), outer_(std::exchange(innermost, &token_))
{
}

StopScope::~StopScope()
{
    innermost = outer_;
}

std::stop_token thread_stop_token()
{
    return innermost != nullptr ? *innermost : std::stop_token();
}

void check_stop()
{
    if (innermost != nullptr && innermost->stop_requested()) throw Stopped();
}

} // namespace vitrine
