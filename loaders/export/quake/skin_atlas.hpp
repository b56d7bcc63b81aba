#pragma once
// Combines the images of all materials into one, for formats with a single skin.

#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

class SkinAtlas {
public:
    // The scene must outlive it.
    explicit SkinAtlas(const scene::Scene& scene);

    const scene::Image& image() const { return image_; }
    // Returns the atlas coordinates of a corner, 0 .. 1. `material` may be none.
    glm::vec2 place(std::uint32_t material, glm::vec2 uv) const;

private:
    struct Cell {
        float top = 0.0f; // pixels
        float width = 0.0f;
        float height = 0.0f;
        bool plain = false;
    };
    void add(const scene::Image& image, bool plain);

    std::vector<Cell> cells_; // by material; the last one is for none
    scene::Image image_;
};

} // namespace vitrine::exporting
