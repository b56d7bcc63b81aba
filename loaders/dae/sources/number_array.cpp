#include "loaders/dae/sources/number_array.hpp"

#include <algorithm>
#include <array>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/io/huge_pages.hpp"

namespace vitrine::dae {
namespace {

template <class Element>
constexpr std::size_t floats_per_element = 1;
template <>
constexpr std::size_t floats_per_element<glm::vec2> = 2;
template <>
constexpr std::size_t floats_per_element<glm::vec3> = 3;

// Reads complete elements; left-over numbers are ignored.
template <class Element>
std::vector<Element> read_elements(std::string_view text, std::size_t max_count, std::uint64_t& bad)
{
    NumberReader reader(text);
    std::vector<Element> out;
    io::reserve_large(out, std::min(max_count, text.size() / 2 + 1) / floats_per_element<Element>);
    std::array<Element, 1020 / floats_per_element<Element>> some; // not a vector: that would zero-fill
    for (bool more = true; more;) {
        const std::size_t wanted =
            std::min(some.size(), max_count / floats_per_element<Element> - out.size());
        const std::size_t read = reader.next(
            std::span(reinterpret_cast<float*>(some.data()), wanted * floats_per_element<Element>));
        more = read == wanted * floats_per_element<Element> && wanted > 0;
        out.insert(out.end(), some.begin(),
                   some.begin() + static_cast<std::ptrdiff_t>(read / floats_per_element<Element>));
        if (read % floats_per_element<Element> != 0) return {}; // incomplete
    }
    bad = reader.bad();
    return out;
}

} // namespace

NumberArray::NumberArray(std::string_view text, std::size_t max_count, std::size_t stride)
{
    if (stride == 3 && max_count % 3 == 0) elements_ = read_elements<glm::vec3>(text, max_count, bad_);
    if (stride == 2 && max_count % 2 == 0) elements_ = read_elements<glm::vec2>(text, max_count, bad_);
    if (size() == 0) elements_ = read_elements<float>(text, max_count, bad_);
}

const float* NumberArray::data() const
{
    return std::visit([](const auto& list) { return reinterpret_cast<const float*>(list.data()); },
                      elements_);
}

std::size_t NumberArray::size() const
{
    return std::visit(
        [](const auto& list) {
            return list.size() * floats_per_element<std::remove_cvref_t<decltype(list[0])>>;
        },
        elements_);
}

} // namespace vitrine::dae
