#include "server/logger.hpp"

#include <mutex>

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include "server/tracing/trace_scope.hpp"
#include "server/util/log_writer.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t queue_bytes = 1 << 20; // of lines that wait for the reader of stderr
constexpr const char* pattern = "%Y-%m-%dT%H:%M:%S.%eZ level=%l %v";
constexpr const char* time_pattern = "%Y-%m-%dT%H:%M:%S.%eZ";

class JsonFormatter final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override
    {
        spdlog::memory_buf_t time;
        time_.format(message, time);
        const auto level = spdlog::level::to_string_view(message.level);
        const auto json = to_json_line({time.data(), time.size()}, {level.data(), level.size()},
                                       {message.payload.data(), message.payload.size()});
        line.append(json.data(), json.data() + json.size());
        line.push_back('\n');
    }
    std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonFormatter>(); }

private:
    spdlog::pattern_formatter time_{time_pattern, spdlog::pattern_time_type::utc, ""};
};

std::unique_ptr<spdlog::formatter> make_formatter(LogFormat format)
{
    if (format == LogFormat::json) return std::make_unique<JsonFormatter>();
    return std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc);
}

// `trace`: that the work belongs to, at the end of the line; empty: none.
std::string format_line(spdlog::formatter& formatter, const spdlog::details::log_msg& message,
                        std::string_view trace = {})
{
    spdlog::memory_buf_t line;
    auto traced = message;
    std::string text;
    if (!trace.empty()) {
        text = fmt::format("{} trace={}", fmt::string_view(message.payload.data(), message.payload.size()),
                           trace);
        traced.payload = text;
    }
    formatter.format(traced, line);
    return {line.data(), line.size()};
}

std::string dropped_line(LogFormat format, std::uint64_t count)
{
    const std::string text =
        fmt::format("msg=\"log lines dropped; stderr is read too slowly\" count={}", count);
    return format_line(*make_formatter(format), {"vitrine", spdlog::level::warn, text});
}

class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    StderrSink(LogFormat format, prometheus::Counter& dropped)
        : writer_(STDERR_FILENO, queue_bytes,
                  [format](std::uint64_t count) { return dropped_line(format, count); }),
          dropped_(dropped)
    {
    }

private:
    void sink_it_(const spdlog::details::log_msg& message) override
    {
        // On the thread that logs.
        if (!writer_.add(format_line(*formatter_, message, current_trace()))) dropped_.Increment();
    }
    void flush_() override { writer_.flush(); }

    LogWriter writer_;
    prometheus::Counter& dropped_;
};

} // namespace

std::shared_ptr<spdlog::logger> make_logger(const std::string& level, LogFormat format,
                                            prometheus::Registry& registry)
{
    auto& dropped = prometheus::BuildCounter()
                        .Name("vitrine_log_lines_dropped_total")
                        .Help("Log lines dropped because stderr was read too slowly")
                        .Register(registry)
                        .Add({});
    auto logger = std::make_shared<spdlog::logger>("vitrine", std::make_shared<StderrSink>(format, dropped));
    logger->set_formatter(make_formatter(format));
    logger->set_level(spdlog::level::from_str(level));
    spdlog::set_default_logger(logger); // service logs go to stderr too; stdout has one line
    return logger;
}

} // namespace vitrine::server
