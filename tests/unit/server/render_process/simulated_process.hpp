#pragma once
// A render process that passes pixels, without a process: for tests of the memory through which they arrive.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "server/render_process/frame_receiver.hpp"

namespace vitrine::render_process {

inline bool shows(const render::Frame& frame, std::uint8_t value)
{
    return frame.pixels.size() == std::size_t{4} * frame.width * frame.height &&
           std::ranges::all_of(frame.pixels, [&](auto byte) { return byte == value; });
}

// Passes the pixels of a reply as the process does: all bytes of frame i are `first + i`.
class SimulatedProcess {
public:
    FrameReceiver::Process calls()
    {
        return {.pass =
                    [this](const FrameMemory& message, int file) {
                        memories_[message.id] =
                            std::move(*SharedMemory::map(FileDescriptor(::dup(file)), message.size_bytes));
                        passed_bytes_ += message.size_bytes;
                    },
                .release =
                    [this](const std::vector<ObjectId>& ids) {
                        for (const auto id : ids)
                            EXPECT_EQ(memories_.erase(id), 1u);
                    },
                .fill =
                    [this](ObjectId id) {
                        if (fails) throw std::runtime_error("the process is lost");
                        fill(id);
                    }};
    }
    std::vector<render::Frame> draw(FrameReceiver& receiver, const std::vector<FrameSize>& sizes,
                                    std::uint8_t first = 1)
    {
        std::vector<render::Frame> frames;
        draw(receiver, sizes, first, frames);
        return frames;
    }
    void draw(FrameReceiver& receiver, const std::vector<FrameSize>& sizes, std::uint8_t first,
              std::vector<render::Frame>& frames)
    {
        Frames reply;
        stream_.clear();
        for (const auto& size : sizes) {
            reply.frames.push_back({size.width, size.height, {}, {}, 5});
            stream_.insert(stream_.end(), std::size_t{4} * size.width * size.height, first++);
        }
        sent_ = 0;
        auto piece = receiver.prepare(sizes);
        EXPECT_EQ(find_fault(reply, sizes, piece->size()), nullptr);
        fill(last_ = piece->id);
        receiver.read(reply, std::move(piece), frames);
        EXPECT_EQ(sent_, stream_.size());
    }
    std::span<std::byte> bytes_of(ObjectId id) { return memories_.at(id).bytes(); }
    ObjectId last() const { return last_; } // of the last reply's first piece
    std::size_t files() const { return memories_.size(); }
    std::uint64_t passed_bytes() const { return passed_bytes_; }
    std::uint64_t mapped_bytes() const
    {
        return std::accumulate(memories_.begin(), memories_.end(), std::uint64_t{0},
                               [](auto sum, const auto& entry) { return sum + entry.second.size(); });
    }
    bool fails = false;

private:
    void fill(ObjectId id)
    {
        const auto piece = memories_.at(id).bytes();
        const auto size = std::min(piece.size(), stream_.size() - sent_);
        if (size > 0) std::memcpy(piece.data(), stream_.data() + sent_, size);
        sent_ += size;
    }

    std::map<ObjectId, SharedMemory> memories_;
    std::vector<std::uint8_t> stream_;
    std::size_t sent_ = 0;
    ObjectId last_ = 0;
    std::uint64_t passed_bytes_ = 0;
};

} // namespace vitrine::render_process
