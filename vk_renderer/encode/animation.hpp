#pragma once
// Encodes an animated WebP; each frame is encoded separately, on other threads while the next frames are
// rendered.

#include <functional>
#include <memory>

#include "vk_renderer/encode/encode.hpp"

namespace vitrine::render {

// add() and finish() are called on one thread.
class AnimationEncoder {
public:
    // Runs a task on another thread; returns false if it does not.
    using Post = std::function<bool(std::move_only_function<void()>)>;

    // With an empty `post`, everything is encoded in finish(). `post` is not called after the destructor;
    // pending tasks then do nothing.
    explicit AnimationEncoder(const EncodeOptions& options, Post post = {});
    ~AnimationEncoder();
    AnimationEncoder(const AnimationEncoder&) = delete;
    AnimationEncoder& operator=(const AnimationEncoder&) = delete;

    // In chronological order; all of the same size.
    void add(Frame frame);
    // Encodes the parts that no other thread has started and waits for the rest, never for a part still
    // queued on a busy thread. Throws std::runtime_error if there is no frame, the sizes differ or the codec
    // fails.
    std::vector<std::byte> finish();

private:
    struct State;
    std::shared_ptr<State> state_;
    EncodeOptions options_;
    Post post_;
};

} // namespace vitrine::render
