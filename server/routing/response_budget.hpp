#pragma once
// Limits what responses hold from when they are made until their peers have read them. A body of at most
// 64 KiB is not counted: the number of connections limits these. A larger one stays in memory while it has at
// most 4 MiB and the memory limit has room; otherwise it is moved to an unnamed temporary file, which the
// disk limit counts. Any thread; blocking (file I/O).

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <prometheus/registry.h>

#include "server/net/http.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {

class ByteReservation; // server/util/byte_budget.hpp

// Neither memory nor disk has room for another response: 503, try again later.
class ResponsesFull : public std::runtime_error {
public:
    ResponsesFull() : std::runtime_error("the limit of responses being sent is reached") {}
};

class ResponseBudget {
public:
    struct Limits {
        std::uint64_t memory_bytes = 128ull << 20;
        std::uint64_t disk_bytes = 2ull << 30;
    };
    // `folder`: of the temporary files; created when the first is needed.
    ResponseBudget(std::filesystem::path folder, Limits limits, prometheus::Registry& registry);
    ~ResponseBudget();

    // Counts the body until `response` is destroyed; may move it to a file. Throws ResponsesFull.
    void hold(Response& response);
    // Memory of a body that is made while it is sent, until the result is destroyed. Throws ResponsesFull.
    std::shared_ptr<const void> reserve(std::uint64_t bytes);

private:
    friend class BodyWriter;
    struct State;
    std::shared_ptr<State> state_; // shared with responses
};

// Collects a body whose size is not known before. Memory holds at most 4 MiB of it while the disk has room.
class BodyWriter {
public:
    explicit BodyWriter(ResponseBudget& budget);
    ~BodyWriter();
    BodyWriter(const BodyWriter&) = delete;
    BodyWriter& operator=(const BodyWriter&) = delete;

    void write(std::string_view bytes); // throws ResponsesFull
    // Makes the written bytes the body of `response`, counted until it is destroyed. Call once. Throws
    // ResponsesFull.
    void finish(Response& response);

private:
    void make_room(std::size_t size);
    void append_to_file(std::string_view bytes);

    std::shared_ptr<ResponseBudget::State> state_;
    std::shared_ptr<ByteReservation> memory_, disk_;
    std::string buffer_; // not in the file
    std::shared_ptr<OpenFile> file_;
    std::uint64_t file_bytes_ = 0;
};

} // namespace vitrine::server
