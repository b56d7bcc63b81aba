#pragma once
// The pictures of all materials in one, for formats with a single skin.

#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

class SkinAtlas {
public:
    // The scene outlives it.
    explicit SkinAtlas(const scene::Scene& scene);

    const scene::Image& image() const { return image_; }
    // Where on the atlas a corner lies, 0 .. 1. `material` may be none.
    glm::vec2 place(std::uint32_t material, glm::vec2 uv) const;

private:
    struct Cell {
        float top = 0.0f; // pixels
        float width = 0.0f;
        float height = 0.0f;
        bool plain = false;
    };
    void add(const scene::Image& picture, bool plain);

    std::vector<Cell> cells_; // by material; the last for none
    scene::Image image_;
};

} // namespace vitrine::exporting
