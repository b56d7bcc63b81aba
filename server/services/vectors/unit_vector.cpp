#include "server/services/vectors/unit_vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "loaders/io/base64.hpp"

namespace vitrine::server {
namespace {

constexpr float quantized_max = 127.0f;

// splitmix64 (Steele, Lea, Flood 2014): the signs of 64 entries of the random vectors.
std::uint64_t random_signs(std::uint64_t index)
{
    std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// The products of the vector with `bits` random vectors of entries 1 and -1.
std::vector<float> project(std::span<const float> values, std::size_t bits)
{
    std::vector<float> products(bits, 0.0f);
    for (std::size_t word = 0; word < bits / 64; ++word)
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto signs = random_signs(word * max_dimensions + i);
            for (std::size_t bit = 0; bit < 64; ++bit)
                products[word * 64 + bit] += ((signs >> bit) & 1) != 0 ? values[i] : -values[i];
        }
    return products;
}

} // namespace

std::optional<UnitVector> UnitVector::make(std::vector<float> numbers)
{
    if (numbers.size() < min_dimensions || numbers.size() > max_dimensions) return std::nullopt;
    double square = 0.0;
    for (const float number : numbers)
        square += double{number} * double{number};
    const double length = std::sqrt(square);
    if (!std::isfinite(length) || length < 1e-20) return std::nullopt;
    for (auto& number : numbers)
        number = static_cast<float>(number / length);
    return UnitVector(std::move(numbers));
}

double cosine(const UnitVector& a, const UnitVector& b)
{
    if (a.size() != b.size()) return 0.0;
    return std::inner_product(a.values().begin(), a.values().end(), b.values().begin(), 0.0);
}

std::string to_text(const UnitVector& vector)
{
    float largest = 0.0f;
    for (const float value : vector.values())
        largest = std::max(largest, std::abs(value));
    std::string bytes;
    for (const float value : vector.values())
        bytes += static_cast<char>(std::lround(value / largest * quantized_max));
    return io::encode_base64(bytes);
}

std::optional<UnitVector> parse_unit_vector(std::string_view text)
{
    const auto bytes = io::decode_base64(text);
    if (!bytes) return std::nullopt;
    std::vector<float> values;
    values.reserve(bytes->size());
    for (const auto byte : *bytes)
        values.push_back(static_cast<float>(static_cast<std::int8_t>(byte)));
    return UnitVector::make(std::move(values));
}

std::string code_text(const UnitVector& vector, std::size_t bits)
{
    const auto products = project(vector.values(), bits);
    std::string bytes(bits / 8, '\0');
    for (std::size_t i = 0; i < bits; ++i)
        if (products[i] > 0.0f) bytes[i / 8] = static_cast<char>(bytes[i / 8] | (1 << (i % 8)));
    return io::encode_base64(bytes);
}

CodeScorer::CodeScorer(const UnitVector& vector, std::size_t bits) : bytes_(bits / 8), table_(bytes_ * 256)
{
    const auto products = project(vector.values(), bits);
    for (std::size_t byte = 0; byte < bytes_; ++byte)
        for (std::size_t value = 0; value < 256; ++value)
            for (std::size_t bit = 0; bit < 8; ++bit) {
                const float product = products[byte * 8 + bit];
                table_[byte * 256 + value] += ((value >> bit) & 1) != 0 ? product : -product;
            }
}

float CodeScorer::score(const std::uint8_t* code) const
{
    float sum = 0.0f;
    for (std::size_t byte = 0; byte < bytes_; ++byte)
        sum += table_[byte * 256 + code[byte]];
    return sum;
}

} // namespace vitrine::server
