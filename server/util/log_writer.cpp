#include "server/util/log_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <unistd.h>

namespace vitrine::server {
namespace {

constexpr std::chrono::seconds flush_time{1};
// Lines are collected for this time, so that a busy server wakes the thread a hundred times a second and not
// once a line.
constexpr std::chrono::milliseconds collection_time{10};
constexpr std::size_t collection_bytes = 64 * 1024; // or up to this size

// Returns false if the descriptor cannot be written to. Blocks while the reader is stopped.
bool write_all(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return false;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

} // namespace

struct LogWriter::State {
    int descriptor;
    std::size_t queue_bytes;
    DroppedLine dropped_line;

    std::mutex mutex; // guards the members below
    std::condition_variable changed;
    std::string queue;
    std::uint64_t dropped = 0; // since the last line that was queued
    bool writing = false;
    bool stopping = false;
    bool stalled = false;     // a flush has timed out since the last write
    std::size_t flushing = 0; // callers of flush(), who do not wait for the collection

    void run();
    std::string next();
};

// Waits for lines; empty: the writer is destroyed and all lines are written.
std::string LogWriter::State::next()
{
    std::unique_lock lock(mutex);
    writing = stalled = false;
    changed.notify_all();
    changed.wait(lock, [&] { return stopping || !queue.empty() || dropped > 0; });
    changed.wait_for(lock, collection_time, [&] {
        return stopping || flushing > 0 || dropped > 0 || queue.size() >= collection_bytes;
    });
    std::string text = std::exchange(queue, {});
    const std::uint64_t count = std::exchange(dropped, 0);
    if (count > 0) text += dropped_line(count);
    writing = !text.empty();
    return text;
}

void LogWriter::State::run()
{
    for (std::string text = next(); !text.empty(); text = next())
        write_all(descriptor, text);
}

LogWriter::LogWriter(int descriptor, std::size_t queue_bytes, DroppedLine dropped_line)
    : state_(std::make_shared<State>(descriptor, queue_bytes, std::move(dropped_line)))
{
    std::thread([state = state_] { state->run(); }).detach();
}

LogWriter::~LogWriter()
{
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
        state_->changed.notify_all();
    }
    flush();
}

// The thread waits for the first line, or collects lines: it is woken by the first, and by a full collection.
bool LogWriter::add(std::string_view line)
{
    const std::lock_guard lock(state_->mutex);
    // After a dropped line every line is dropped until the thread has taken the queue: the count then stands
    // at the right place.
    if (state_->dropped > 0 || state_->queue.size() + line.size() > state_->queue_bytes) {
        if (state_->dropped++ == 0) state_->changed.notify_all();
        return false;
    }
    const auto before = state_->queue.size();
    state_->queue += line;
    const bool is_full = before < collection_bytes && state_->queue.size() >= collection_bytes;
    if (before == 0 || is_full) state_->changed.notify_all();
    return true;
}

LogWriter::FlushResult LogWriter::flush()
{
    std::unique_lock lock(state_->mutex);
    if (state_->stalled) return FlushResult::stalled;
    ++state_->flushing;
    state_->changed.notify_all();
    const bool is_written = state_->changed.wait_for(
        lock, flush_time, [&] { return !state_->writing && state_->queue.empty() && state_->dropped == 0; });
    --state_->flushing;
    state_->stalled = !is_written;
    return is_written ? FlushResult::written : FlushResult::timed_out;
}

} // namespace vitrine::server
