#pragma once
// What is made on a thread of its own from the start, because making it takes as long as what comes before
// its first use. One thread at a time asks for it.

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace vitrine::render {

template <class T>
class AsyncLazy {
public:
    // `make` is called on another thread, and by get() where it has thrown there.
    explicit AsyncLazy(std::function<T()> make)
        : make_(std::move(make)), future_(std::async(std::launch::async, make_))
    {
    }

    // Throws what making it throws; the next call tries again.
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
            return make_(); // what failed then, for want of memory perhaps, may go now
        }
        return make_();
    }

    std::function<T()> make_;
    std::future<T> future_;
    std::optional<T> value_;
};

} // namespace vitrine::render
