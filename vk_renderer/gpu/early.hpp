#pragma once
// What is made on a thread of its own from the start, because making it takes as long as what comes before
// its first use. One thread at a time asks for it.

#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace vitrine::render {

template <class T>
class Early {
public:
    // `make` is called on another thread, and by get() again after it has thrown there.
    explicit Early(std::function<T()> make)
        : make_(std::move(make)), coming_(std::async(std::launch::async, make_))
    {
    }

    // Throws what making it throws; the next call tries again.
    T& get()
    {
        if (!made_) made_.emplace(coming_.valid() ? coming_.get() : make_());
        return *made_;
    }

private:
    std::function<T()> make_;
    std::future<T> coming_;
    std::optional<T> made_;
};

} // namespace vitrine::render
