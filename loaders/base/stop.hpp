#pragma once
// Ends long computations early when nobody needs their result any more. Who starts the work sets a scope for
// its thread; loops over meshes, poses and images call check_stop(), which costs a few nanoseconds. Other
// threads of the same work have no scope unless they set one.

#include <exception>
#include <stop_token>

namespace vitrine {

// Thrown by check_stop(). Everything on the way is unwound: functions that may throw it leave no half-made
// state behind that others see.
class Stopped final : public std::exception {
public:
    const char* what() const noexcept override { return "the work was stopped"; }
};

// While it exists, check_stop() on this thread obeys `token`. Scopes nest: the innermost one counts.
class StopScope {
public:
    explicit StopScope(std::stop_token token);
    ~StopScope();
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    std::stop_token token_;
    const std::stop_token* outer_;
};

// The token of the innermost scope of this thread; without one, a token that never stops.
std::stop_token thread_stop_token();

// Throws Stopped if a stop of the innermost scope of this thread is requested.
void check_stop();

} // namespace vitrine
