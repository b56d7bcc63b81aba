#pragma once
// The server's end of a render process: starts it, asks it questions, and kills it when it does not answer as
// it must. Used by the device's thread, but for wait_finished().

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "loaders/worker/protocol/process.hpp"
#include "server/render_process/message_stream.hpp"
#include "server/render_process/messages.hpp"
#include "server/render_process/process_device.hpp"

namespace vitrine::render_process {

class ProcessConnection {
public:
    // Throws DeviceLost.
    ProcessConnection(const ProcessOptions& options, std::function<void(const std::string&)> log);
    // Lets the process end by itself, or kills it after a loss.
    ~ProcessConnection();
    ProcessConnection(const ProcessConnection&) = delete;
    ProcessConnection& operator=(const ProcessConnection&) = delete;

    // Starts the device. The reply is checked as far as decode() does.
    Ready start(const StartDevice& message, std::chrono::milliseconds timeout);
    // Starts the time of a call. Throws DeviceLost.
    void begin();
    // Sends a question and returns its reply of at most `max_bytes`. Throws the failure that the process
    // reports, or DeviceLost.
    template <class Reply, class Question>
    Reply ask(const Question& question, std::uint64_t max_bytes = small_reply_bytes)
    {
        begin();
        send(question);
        return require<Reply>(receive(Reply::type, max_bytes));
    }
    // Sends a message that has no reply. Throws DeviceLost.
    template <class Message>
    void send(const Message& message, int descriptor = -1)
    {
        send_bytes(Message::type, encode(message), descriptor);
    }
    // Kills the process and throws DeviceLost with this reason, now and in each later call.
    [[noreturn]] void lose(const std::string& reason);
    pid_t process_id() const { return process_.id(); }
    std::chrono::nanoseconds work_time() const { return work_time_; }

    // Waits until the process has finished the ticket or has ended; false: the timeout has expired first. Any
    // thread; tickets end in the order of their numbers.
    bool wait_finished(ObjectId ticket) noexcept;
    // Reads the notices that have arrived, so that they do not fill the pipe. Does not wait: a thread in
    // wait_finished() reads them.
    void read_finished() noexcept;

    static constexpr std::uint64_t small_reply_bytes = 64 * 1024;

private:
    ProcessConnection(const ProcessOptions& options, std::function<void(const std::string&)> log,
                      StreamPair ends);
    void send_bytes(RenderMessageType type, const std::string& bytes, int descriptor);
    std::string receive(RenderMessageType expected, std::uint64_t max_bytes);
    void log(const std::string& bytes, int& count);
    [[noreturn]] void rethrow(const std::string& bytes);
    [[noreturn]] void lose(StreamError error);
    // Reads one notice. False: there is none (yet), or never again.
    bool read_notice() noexcept;
    template <class Message>
    Message require(const std::string& bytes)
    {
        auto message = decode<Message>(bytes);
        if (!message) lose("it has sent a malformed message");
        return std::move(*message);
    }

    const ProcessOptions options_;
    const std::function<void(const std::string&)> log_;
    FileDescriptor notices_write_; // until the process has it
    FileDescriptor notices_;
    MessageStream stream_;
    worker::ChildProcess process_;
    Deadline deadline_{};
    std::string loss_; // the reason; empty: none
    bool device_lost_ = false;
    std::chrono::nanoseconds work_time_{};
    std::mutex notices_mutex_; // guards the members below
    ObjectId finished_ = 0;
    bool notices_ended_ = false;
};

} // namespace vitrine::render_process
