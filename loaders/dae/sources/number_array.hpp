#pragma once
// The numbers of an array, kept as the vectors that its accessor makes of them: where each becomes a vertex
// in that order, the mesh takes them over.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::dae {

class NumberArray {
public:
    // At most `most` numbers; vectors of `stride` where there are such and the text holds whole ones.
    NumberArray(std::string_view text, std::size_t most, std::size_t stride);

    std::uint64_t bad() const { return bad_; } // words that were no numbers
    const float* data() const;
    std::size_t size() const; // numbers

    // All of them. Empty where the array has other elements or words that were bad.
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
