#pragma once
// <source>: an array and its accessor. The numbers of an array are read once for all its accessors, and
// released by clear().

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/document/documents.hpp"
#include "loaders/dae/sources/number_array.hpp"

namespace vitrine::dae {

// Floats by element and component; valid until Sources::clear().
class FloatSource {
public:
    std::uint32_t count() const { return count_; }
    std::uint32_t components() const { return components_; }
    // Precondition: i < count(). A missing component is 0.
    float at(std::uint32_t i, std::uint32_t component) const
    {
        if (component >= components_) return 0.0f;
        return values_[index(i, component)];
    }
    // Divided by W where the source has one.
    glm::vec3 vec3(std::uint32_t i) const
    {
        const glm::vec3 v(at(i, 0), at(i, 1), at(i, 2));
        const float w = has_w_ ? at(i, 3) : 1.0f;
        return w == 0.0f || w == 1.0f ? v : v / w;
    }
    // Returns all vectors when they are contiguous, the usual case; else empty.
    std::span<const glm::vec3> packed_vec3() const
    {
        static_assert(sizeof(glm::vec3) == 3 * sizeof(float));
        if (stride_ != 3 || components_ != 3) return {};
        return {reinterpret_cast<const glm::vec3*>(values_ + offset_), count_};
    }
    // Moves the vectors of all elements out when the array contains nothing else. The source is empty
    // afterwards; requesting it from Sources again reads it again.
    template <class Vector>
    std::optional<std::vector<Vector>> take()
    {
        const bool fits = array_ != nullptr && offset_ == 0 && stride_ == components_ &&
                          components_ * sizeof(float) == sizeof(Vector) && array_->size() == count_ * stride_;
        return fits ? array_->take<Vector>() : std::nullopt;
    }
    // Returns whether both use the same array.
    bool shares_array(const FloatSource& other) const { return array_ != nullptr && array_ == other.array_; }
    const void* key() const { return key_; } // of the <source>; null: there is none
    bool exists() const { return key_ != nullptr; }

private:
    friend class Sources;
    friend class DoubleSource;
    // index into the array
    std::size_t index(std::uint32_t i, std::uint32_t component) const
    {
        return offset_ + std::size_t{i} * stride_ + (places_ == nullptr ? component : places_[component]);
    }

    NumberArray* array_ = nullptr;
    const float* values_ = nullptr;
    std::size_t offset_ = 0;
    std::size_t stride_ = 1;
    std::uint32_t count_ = 0;
    std::uint32_t components_ = 0;
    bool has_w_ = false;                    // the fourth component of X, Y, Z and W
    const std::uint32_t* places_ = nullptr; // offsets of the components in an element; null: consecutive
    const void* key_ = nullptr;
};

// The first component of all elements of a source in double precision, because times are compared and added
// more finely than floats allow. Valid until Sources::clear().
class DoubleSource {
public:
    std::uint32_t count() const { return source_.count(); }
    // Precondition: i < count().
    double operator[](std::uint32_t i) const { return (*values_)[source_.index(i, 0)]; }

private:
    friend class Sources;
    FloatSource source_;
    const std::vector<double>* values_ = nullptr;
};

// Returns an attribute of an element as a number; the fallback when it is missing.
std::uint64_t number_attribute(io::XmlNode node, std::string_view name, std::uint64_t fallback);

// Returns the element, each of one number, that contains a number of the accessor's array; nullopt when none
// does.
std::optional<std::uint32_t> find_element(io::XmlNode accessor, std::uint32_t number);

io::XmlNode find_input(io::XmlNode holder, std::string_view semantic);
// Returns the source of an input of <joints>, <sampler> and similar elements.
io::XmlNode input_source(io::XmlNode holder, std::string_view semantic, Documents& documents);

class Sources {
public:
    Sources(Documents& documents, io::Budget& budget) : documents_(documents), budget_(budget) {}

    // Returns the content of the source (or, as an extension, of a bare array) that an input names. A source
    // shorter than its accessor ends with its numbers, with a warning.
    LoadResult<FloatSource> floats(io::XmlNode source);
    LoadResult<DoubleSource> doubles(io::XmlNode source);
    // Returns names or ids, in order.
    std::vector<std::string_view> names(io::XmlNode source);
    bool holds_ids(io::XmlNode source) const; // IDREF_array, SIDREF_array

    // Returns the <float_array>, <Name_array>... of a source.
    io::XmlNode array_of(io::XmlNode source) { return layout_of(source).array; }
    io::XmlNode accessor_of(io::XmlNode source) { return layout_of(source).accessor; }
    void clear()
    {
        arrays_.clear();
        doubles_.clear();
    }

private:
    // The description of a source, without its numbers.
    struct SourceLayout {
        io::XmlNode array, accessor;
        std::uint64_t stride = 1;
        std::uint64_t offset = 0;
        std::optional<std::uint64_t> count;  // number of elements
        std::uint64_t required_count = 0;    // in numbers
        std::uint32_t components = 0;        // per element
        bool has_w = false;                  // FloatSource::has_w_
        std::vector<std::uint32_t> places{}; // offsets of components; empty: consecutive
    };

    const SourceLayout& layout_of(io::XmlNode source);
    io::XmlNode find_array(io::XmlNode source, io::XmlNode accessor);
    std::uint64_t stride_of(io::XmlNode accessor, io::XmlNode array);
    // `required_count`: numbers that the accessor needs.
    LoadResult<NumberArray*> read_values(io::XmlNode array, std::size_t stride, std::uint64_t required_count);

    Documents& documents_;
    io::Budget& budget_;
    std::unordered_map<const void*, SourceLayout> layouts_; // by source
    std::unordered_map<const void*, std::unique_ptr<NumberArray>> arrays_;
    std::unordered_map<const void*, std::vector<double>> doubles_; // by array
};

} // namespace vitrine::dae
