#pragma once
// The server's side of the memory through which pixels arrive: several memory files, each of which the
// process fills with the pixels of one reply, or a piece of it. Frames share the pixels there, instead of
// copies, and a file is filled again when its last frame is gone. Copied instead: replies of few bytes,
// images that lie in two pieces, and everything while the files of frames have reached the limit, so that no
// draw waits for an encoder.
//
// The process can change the pixels of shared frames: Pixels::may_change(). Used by the device's thread;
// frames may end on any thread, also after the receiver and the process.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "server/render_process/messages.hpp"
#include "server/render_process/shared_memory.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/base/pixel_pool.hpp"

namespace vitrine::render_process {

struct FrameSize {
    std::uint32_t width = 0, height = 0;
};

// What is wrong with a reply to a request for frames of these sizes in memory of so many bytes; null:
// nothing.
const char* find_fault(const Frames& reply, std::span<const FrameSize> sizes, std::uint64_t memory_bytes);

class FrameReceiver {
public:
    // Calls of the process. They throw DeviceLost.
    struct Process {
        std::function<void(const FrameMemory&, int file)> pass;
        std::function<void(std::vector<ObjectId>)> release;
        std::function<void(ObjectId)> fill; // returns when the next pixels are there
    };
    // `max_shared_bytes`: of the files that frames share.
    FrameReceiver(std::uint64_t max_shared_bytes, Process process);

    struct FrameFile {
        ObjectId id = 0;
        SharedMemory memory;
        std::uint64_t size() const { return memory.size(); }
    };
    using Pool = render::PixelPool<FrameFile>;
    using Piece = Pool::Taken;

    // Returns the memory for a reply with frames of these sizes, or for the first piece of it. Throws
    // RenderError, DeviceLost.
    Piece prepare(std::span<const FrameSize> sizes);
    // Returns the frames of the reply for which `piece` was prepared. Precondition: it has no fault. Throws
    // as prepare().
    void read(const Frames& reply, Piece piece, std::vector<render::Frame>& frames);
    // Gives back what no frame uses.
    void shrink();

    static constexpr std::uint64_t max_piece_bytes = 64u << 20;

private:
    Piece take(std::uint64_t bytes);
    void begin_piece();
    void next_piece();
    void release(const std::vector<FrameFile>& files);
    void copy_pixels(render::Pixels& pixels, std::uint64_t bytes);
    void read_in_place(std::span<const std::uint64_t> offsets, std::vector<render::Frame>& frames);
    void read_pieces(std::vector<render::Frame>& frames);
    std::span<const std::uint8_t> read_up_to(std::uint64_t bytes);

    const Process process_;
    Pool pool_;
    Piece piece_;               // that is read
    std::uint64_t at_ = 0;      // in the piece
    std::uint64_t missing_ = 0; // of the reply, from `at_` on
    bool shares_piece_ = false;
    ObjectId last_id_ = 0;
};

// Limit of a reply with this many frames.
std::uint64_t max_reply_bytes(std::size_t frames);

// Whether the box, which may be empty, has no NaN.
bool is_valid_box(const scene::Aabb& box);
// Whether the indices are those of the scene, and the numbers finite.
bool is_valid_hit(const scene::Hit& hit, const scene::Scene& scene);

} // namespace vitrine::render_process
