#pragma once
// The values of a track at one time, of any number of components.

#include <array>
#include <cstddef>
#include <vector>

namespace vitrine::fbx {

// The components of one sample. At most four except for weights, so almost all need no heap allocation.
class SampleValues {
public:
    SampleValues() = default;
    explicit SampleValues(std::size_t count)
        : size_(count), heap_values_(count > inline_values_.size() ? count : 0)
    {
    }

    std::size_t size() const { return size_; }
    double* data() { return heap_values_.empty() ? inline_values_.data() : heap_values_.data(); }
    const double* data() const { return heap_values_.empty() ? inline_values_.data() : heap_values_.data(); }
    double* begin() { return data(); }
    double* end() { return data() + size_; }
    const double* begin() const { return data(); }
    const double* end() const { return data() + size_; }
    double& operator[](std::size_t i) { return data()[i]; }
    double operator[](std::size_t i) const { return data()[i]; }

private:
    std::size_t size_ = 0;
    std::array<double, 4> inline_values_{};
    std::vector<double> heap_values_;
};

double dot(const SampleValues& a, const SampleValues& b);
void negate(SampleValues& v);
// Returns the largest difference of a component; for rotations the distance of the quaternions, with q and -q
// equal.
double distance(const SampleValues& a, const SampleValues& b, bool is_rotation);
SampleValues lerp(const SampleValues& a, const SampleValues& b, double fraction, bool is_rotation);

} // namespace vitrine::fbx
