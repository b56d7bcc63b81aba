#include "server/routing/response_budget.hpp"

#include <span>
#include <utility>

#include <prometheus/gauge.h>

#include "server/util/byte_budget.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t uncounted_bytes = 64 * 1024;
constexpr std::size_t memory_body_bytes = 4 << 20; // larger bodies are moved to a file
constexpr std::size_t file_buffer_bytes = 256 * 1024;

std::string_view bytes_of_body(const ResponseBody& body)
{
    if (const auto* text = std::get_if<std::string>(&body)) return *text;
    if (const auto* bytes = std::get_if<SharedBytes>(&body); bytes && *bytes)
        return {reinterpret_cast<const char*>((*bytes)->data()), (*bytes)->size()};
    return {};
}

} // namespace

struct ResponseBudget::State {
    State(std::filesystem::path temporary, Limits limits, prometheus::Family<prometheus::Gauge>& bytes)
        : folder(std::move(temporary)),
          memory(std::make_shared<ByteBudget>(limits.memory_bytes, bytes.Add({{"place", "memory"}}))),
          disk(std::make_shared<ByteBudget>(limits.disk_bytes, bytes.Add({{"place", "disk"}})))
    {
    }

    std::filesystem::path folder;
    const std::shared_ptr<ByteBudget> memory, disk;
};

ResponseBudget::ResponseBudget(std::filesystem::path folder, Limits limits, prometheus::Registry& registry)
{
    auto& bytes = prometheus::BuildGauge()
                      .Name("vitrine_response_bytes")
                      .Help("Bytes of responses over 64 KiB that are made or sent")
                      .Register(registry);
    state_ = std::make_shared<State>(std::move(folder), limits, bytes);
}

ResponseBudget::~ResponseBudget() = default;

void ResponseBudget::hold(Response& response)
{
    const std::string_view bytes = bytes_of_body(response.body);
    if (bytes.size() <= uncounted_bytes) return;
    auto memory = std::make_shared<ByteReservation>(state_->memory);
    if (bytes.size() <= memory_body_bytes && memory->grow_to(bytes.size())) {
        response.hold = std::move(memory);
        return;
    }
    BodyWriter writer(*this);
    writer.write(bytes);
    writer.finish(response);
}

std::shared_ptr<const void> ResponseBudget::reserve(std::uint64_t bytes)
{
    auto memory = std::make_shared<ByteReservation>(state_->memory);
    if (!memory->grow_to(bytes)) throw ResponsesFull();
    return memory;
}

BodyWriter::BodyWriter(ResponseBudget& budget)
    : state_(budget.state_), memory_(std::make_shared<ByteReservation>(state_->memory)),
      disk_(std::make_shared<ByteReservation>(state_->disk))
{
}

BodyWriter::~BodyWriter() = default;

void BodyWriter::write(std::string_view bytes)
{
    if (!file_) make_room(buffer_.size() + bytes.size());
    if (file_ && buffer_.size() + bytes.size() > file_buffer_bytes) {
        append_to_file(std::exchange(buffer_, {}));
        if (bytes.size() > file_buffer_bytes) return append_to_file(bytes);
    }
    buffer_ += bytes;
}

// Reserves memory for `size` bytes; creates the file if the body is too large or memory has no room. Without
// a file (a read-only or full disk) only the memory limit remains.
void BodyWriter::make_room(std::size_t size)
{
    if (size <= uncounted_bytes) return;
    if (size <= memory_body_bytes && memory_->grow_to(size)) return;
    try {
        make_folders(state_->folder);
        file_ = std::make_shared<OpenFile>(OpenFile::create_unnamed(state_->folder));
    } catch (const StorageError&) {
        if (!memory_->grow_to(size)) throw ResponsesFull();
    }
}

void BodyWriter::append_to_file(std::string_view bytes)
{
    if (!disk_->grow_to(file_bytes_ + bytes.size())) throw ResponsesFull();
    try {
        file_->write(std::as_bytes(std::span(bytes)), state_->folder);
    } catch (const StorageError&) {
        throw ResponsesFull();
    }
    file_bytes_ += bytes.size();
}

void BodyWriter::finish(Response& response)
{
    if (file_) {
        append_to_file(std::exchange(buffer_, {}));
        response.body = FileSlice{.file = std::move(file_), .offset = 0, .length = file_bytes_};
        response.hold = std::move(disk_);
        memory_.reset();
    } else {
        response.body = std::move(buffer_);
        response.hold = std::move(memory_);
    }
}

} // namespace vitrine::server
