#pragma once
// An animated WebP, each frame encoded by itself: on other threads while the next ones are drawn.

#include <functional>
#include <memory>

#include "vk_renderer/encode/encode.hpp"

namespace vitrine::render {

// One thread adds and finishes.
class AnimationEncoder {
public:
    // Runs a task on some other thread, or says that it does not.
    using Post = std::function<bool(std::move_only_function<void()>)>;

    // An empty `post`: everything is encoded in finish(). `post` is not called after the destructor; tasks
    // that wait then do nothing.
    explicit AnimationEncoder(const EncodeOptions& options, Post post = {});
    ~AnimationEncoder();
    AnimationEncoder(const AnimationEncoder&) = delete;
    AnimationEncoder& operator=(const AnimationEncoder&) = delete;

    // In the order of time; all of one size.
    void add(Frame frame);
    // Encodes what no other thread has begun, waits for the rest: never for a thread that is busy elsewhere.
    // Throws std::runtime_error when there is no frame, sizes differ or the codec fails.
    std::vector<std::byte> finish();

private:
    struct State;
    std::shared_ptr<State> state_;
    EncodeOptions options_;
    Post post_;
};

} // namespace vitrine::render
