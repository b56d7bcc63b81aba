#pragma once
// Frames of an animated WebP, read without a library
// (https://developers.google.com/speed/webp/docs/riff_container).

#include <cstddef>
#include <set>
#include <string>

namespace vitrine::test {

struct WebpAnimation {
    unsigned frame_count = 0;
    unsigned milliseconds = 0;     // of all frames together
    std::set<std::string> content; // different frames
};

inline WebpAnimation read_animation(const std::string& webp)
{
    WebpAnimation animation;
    const auto byte = [&](std::size_t at) {
        return static_cast<unsigned>(static_cast<unsigned char>(webp.at(at)));
    };
    for (std::size_t at = 12; at + 8 <= webp.size();) {
        const std::size_t size = byte(at + 4) | byte(at + 5) << 8 | byte(at + 6) << 16 | byte(at + 7) << 24;
        if (webp.substr(at, 4) == "ANMF") {
            ++animation.frame_count;
            animation.milliseconds += byte(at + 20) | byte(at + 21) << 8 | byte(at + 22) << 16;
            animation.content.insert(webp.substr(at + 24, size - 16));
        }
        at += 8 + size + size % 2;
    }
    return animation;
}

} // namespace vitrine::test
