#pragma once
// The numbers of an array, stored as the vectors of its accessor, so that a mesh can take them over when each
// becomes a vertex in order.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::dae {

class NumberArray {
public:
    // Reads at most `max_count` numbers; as vectors of `stride` when that size is supported and the text
    // contains only complete ones.
    NumberArray(std::string_view text, std::size_t max_count, std::size_t stride);

    std::uint64_t bad() const { return bad_; } // words that were not numbers
    const float* data() const;
    std::size_t size() const; // in numbers

    // Returns all vectors; empty when the element type differs or words were invalid.
    template <class Vector>
    std::optional<std::vector<Vector>> take()
    {
        auto* elements = std::get_if<std::vector<Vector>>(&elements_);
        if (elements == nullptr || bad_ > 0) return std::nullopt;
        is_taken_ = true;
        return std::move(*elements);
    }
    bool is_taken() const { return is_taken_; }

private:
    std::variant<std::vector<float>, std::vector<glm::vec2>, std::vector<glm::vec3>> elements_;
    std::uint64_t bad_ = 0;
    bool is_taken_ = false;
};

} // namespace vitrine::dae
