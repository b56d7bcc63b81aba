#pragma once
// Counts the lines of the log with a text.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

namespace vitrine::server::testing {

// Must be made before the threads that log, and destroyed after them.
class LogWatch {
public:
    explicit LogWatch(std::string text) : sink_(std::make_shared<Sink>(std::move(text)))
    {
        spdlog::default_logger()->sinks().push_back(sink_);
    }
    ~LogWatch() { std::erase(spdlog::default_logger()->sinks(), sink_); }
    LogWatch(const LogWatch&) = delete;
    LogWatch& operator=(const LogWatch&) = delete;

    int lines() const { return sink_->lines; }

private:
    class Sink final : public spdlog::sinks::base_sink<std::mutex> {
    public:
        explicit Sink(std::string text) : text_(std::move(text)) {}
        std::atomic<int> lines = 0;

    private:
        void sink_it_(const spdlog::details::log_msg& message) override
        {
            const std::string_view line(message.payload.data(), message.payload.size());
            if (line.find(text_) != line.npos) ++lines;
        }
        void flush_() override {}

        std::string text_;
    };

    std::shared_ptr<Sink> sink_;
};

} // namespace vitrine::server::testing
