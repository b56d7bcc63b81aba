#pragma once
// A value created on its own thread from construction on, so that slow creation overlaps with the work before
// its first use. Accessed by one thread at a time.

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace vitrine::render {

template <class T>
class AsyncLazy {
public:
    // `make` is called on another thread, and by get() if it has thrown there.
    explicit AsyncLazy(std::function<T()> make)
        : make_(std::move(make)), future_(std::async(std::launch::async, make_))
    {
    }

    // Rethrows exceptions of `make`; the next call tries again.
    T& get()
    {
        if (!value_) value_.emplace(build_now());
        return *value_;
    }

private:
    T build_now()
    {
        try {
            if (future_.valid()) return future_.get();
        } catch (const std::exception&) {
            return make_(); // the failure may have been temporary (out of memory): try again
        }
        return make_();
    }

    std::function<T()> make_;
    std::future<T> future_;
    std::optional<T> value_;
};

} // namespace vitrine::render
