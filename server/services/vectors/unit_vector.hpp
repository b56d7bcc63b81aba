#pragma once
// Vectors of length 1 that describe pictures or texts, their stored form, and codes by which near ones are
// found without reading them all. Pure functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

inline constexpr std::size_t min_dimensions = 8;
inline constexpr std::size_t max_dimensions = 4096;

class UnitVector {
public:
    // Scales the numbers to length 1. Empty: too few or too many, one that is not finite, or all are zero.
    static std::optional<UnitVector> make(std::vector<float> numbers);

    std::span<const float> values() const { return values_; }
    std::size_t size() const { return values_.size(); }

private:
    explicit UnitVector(std::vector<float> values) : values_(std::move(values)) {}
    std::vector<float> values_;
};

// Cosine of the angle between them, -1 to 1; 0 if their dimensions differ.
double cosine(const UnitVector& a, const UnitVector& b);

// One byte for each dimension, in base64: the cosine changes by less than 0.01.
std::string to_text(const UnitVector& vector);
std::optional<UnitVector> parse_unit_vector(std::string_view text);

// Signs of the products with random vectors, which are the same in each process: of two vectors as many
// differ as their angle is of half a turn. Base64. `bits`: a multiple of 64.
std::string code_text(const UnitVector& vector, std::size_t bits);

// Compares one vector with many codes: the products of the vector itself, not their signs, are added up,
// which halves the error.
class CodeScorer {
public:
    CodeScorer(const UnitVector& vector, std::size_t bits);
    // Larger: nearer. Precondition: `code` has bits / 8 bytes.
    float score(const std::uint8_t* code) const;

private:
    std::size_t bytes_;
    std::vector<float> table_; // by byte of the code and its value
};

} // namespace vitrine::server
