#pragma once
// Writes log lines to a file descriptor on a thread of its own, so that a reader that has stopped (a full
// pipe, a paused terminal) stops no other thread. Lines that do not fit into the queue are dropped and
// counted; when the reader continues, a line says how many were dropped.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace vitrine::server {

class LogWriter {
public:
    // Does not own `descriptor`. `queue_bytes` limits the text that waits. Makes the line about `count`
    // dropped lines, with its line break, on the thread of the writer.
    using DroppedLine = std::function<std::string(std::uint64_t count)>;
    LogWriter(int descriptor, std::size_t queue_bytes, DroppedLine dropped_line);
    ~LogWriter(); // flush()
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    // `line` includes its line break. Any thread; never waits for the reader. Returns false if it was
    // dropped.
    bool add(std::string_view line);
    enum class FlushResult : std::uint8_t {
        written,
        timed_out, // the reader has stopped, or is slow
        stalled,   // did not wait: an earlier call has timed out, and nothing was written since
    };
    // Waits until all lines are written, at most a second. Any thread.
    FlushResult flush();

private:
    struct State;
    std::shared_ptr<State> state_; // shared with the thread: a blocked write() cannot be interrupted
};

} // namespace vitrine::server
