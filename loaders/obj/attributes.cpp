#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/parser.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {
namespace {

// The square is still a finite float.
constexpr double max_attribute = 1e18;
// Limit for positions; scene::check_extent() decides whether they can be drawn.
constexpr double max_file_coordinate = std::numeric_limits<float>::max();

// Coordinates above which float precision is coarser than 1/1000: maps and surveys have millimeter data of
// meter-sized objects there.
constexpr double max_exact_coordinate = 1e4;
constexpr double max_origin_distance = 1e12;
// Relative to the distance of the origin; within it a float represents the relative position more precisely
// than the whole coordinate.
constexpr double max_relative_distance = 0.25;

double origin_of(double coordinate)
{
    const double away = std::abs(coordinate);
    if (!(away > max_exact_coordinate) || away > max_origin_distance) return 0.0;
    return double{static_cast<float>(std::round(coordinate))};
}

int hex_digit(char c)
{
    if (digit(c) < 10) return static_cast<int>(digit(c));
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Parses two hex digits; -1 when they are not.
int hex_byte(const char* at)
{
    const int high = hex_digit(at[0]);
    const int low = high < 0 ? -1 : hex_digit(at[1]);
    return low < 0 ? -1 : high * 16 + low;
}

} // namespace

// Parses the numbers of nearly every line. Returns false, leaving the position unchanged, for others.
template <std::size_t count>
bool Parser::read_plain_numbers(std::span<double> out)
{
    const auto four = out.first<4>();
    const char* end = count == 3 ? io::read_three(at_, four) : io::read_two(at_, four);
    if (end != nullptr) at_ = end;
    return end != nullptr;
}

int Parser::read_numbers(double* out, int max_count, double bound)
{
    int count = 0;
    while (count < max_count && skip_blanks() && *at_ != '#') {
        double value = 0.0;
        if (!scan_decimal(at_, value)) value = read_nonstandard_number();
        if (!(std::abs(value) <= bound)) {
            warn("obj_number", "a number is invalid; it is read as 0");
            value = 0.0;
        }
        out[count++] = value;
    }
    return count;
}

// Parses exponents, very long numbers, numbers with trailing characters, and text that is not a number (NaN).
double Parser::read_nonstandard_number()
{
    const char* first = at_;
    while (!is_blank(*at_) && !is_line_end(*at_) && !(*at_ == '\\' && is_line_end(at_[1])))
        ++at_;
    const io::ScannedNumber number = io::scan_number(first, at_);
    if (number.end == first) return std::nan("");
    if (number.end != at_) warn("obj_number", "a number has trailing characters; they are ignored");
    return number.value;
}

void Parser::read_position()
{
    ++positions_;
    if (pass_ == Pass::elements) return;
    double values[8] = {};
    int count = read_plain_numbers<3>(values) ? 3 : read_numbers(values, 3, max_file_coordinate);
    if (count < 3) warn("obj_short_line", "numbers are missing; they are read as 0");
    if (doc_.positions.size() >= limits_.vertices) return reject("vertices", limits_.vertices);
    make_room(doc_.positions, region_first_);
    if (is_far_) [[unlikely]]
        add_far_position({values[0], values[1], values[2]});
    else
        doc_.positions.emplace_back(values[0], values[1], values[2]);
    if (is_line_end(*at_) || !skip_blanks()) {
        if (!doc_.colors.empty()) doc_.colors.emplace_back(-1.0f);
        return;
    }
    count += read_numbers(values + 3, 5, max_attribute);
    add_color(values, count);
}

// The first position decides per axis whether positions are relative to an origin, because they are too far
// from zero for floats; a later position back near zero resets that axis.
void Parser::add_far_position(const glm::dvec3& position)
{
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        double& origin = doc_.origin[axis];
        if (doc_.positions.empty()) origin = origin_of(position[axis]);
        if (std::abs(position[axis] - origin) > max_relative_distance * std::abs(origin))
            return_to_zero(axis);
    }
    is_far_ = doc_.origin != glm::dvec3(0.0);
    doc_.positions.emplace_back(position - doc_.origin);
}

void Parser::return_to_zero(glm::length_t axis)
{
    const double origin = std::exchange(doc_.origin[axis], 0.0);
    if (origin == 0.0) return;
    for (glm::vec3& position : doc_.positions)
        position[axis] = static_cast<float>(double{position[axis]} + origin);
}

// x y z r g b, also with an alpha; x y z w, whose w only applies to free-form geometry.
void Parser::add_color(const double* values, int count)
{
    const bool colored = count >= 6;
    if (!colored && doc_.colors.empty()) return;
    doc_.colors.resize(doc_.positions.size(), glm::vec4(-1.0f));
    const auto part = [&](int i) { return static_cast<float>(std::max(values[i], 0.0)); };
    if (colored) doc_.colors.back() = {part(3), part(4), part(5), count == 7 ? part(6) : 1.0f};
}

// ZBrush: "#MRGB" and up to 64 times MMRRGGBB, for the positions in order.
void Parser::read_polypaint()
{
    if (!skip_blanks()) return;
    for (; painted_ < doc_.positions.size(); ++painted_, at_ += 8) {
        int bytes[4];
        for (std::ptrdiff_t i = 0; i < 4; ++i) {
            bytes[i] = i == 0 || bytes[i - 1] >= 0 ? hex_byte(at_ + 2 * i) : -1;
        }
        if (bytes[3] < 0) return;
        doc_.colors.resize(doc_.positions.size(), glm::vec4(-1.0f));
        const auto part = [&](int i) { return static_cast<float>(bytes[i]) / 255.0f; };
        doc_.colors[painted_] = {part(1), part(2), part(3), 1.0f};
    }
}

void Parser::read_uv()
{
    ++uvs_;
    if (pass_ == Pass::elements) return;
    double values[4] = {};
    if (!read_plain_numbers<2>(values) && read_numbers(values, 2, max_attribute) < 1)
        warn("obj_short_line", "numbers are missing; they are read as 0");
    if (doc_.uvs.size() >= limits_.vertices) return reject("vertices", limits_.vertices);
    make_room(doc_.uvs, region_first_);
    doc_.uvs.emplace_back(values[0], 1.0 - values[1]);
}

void Parser::read_normal()
{
    ++normals_;
    if (pass_ == Pass::elements) return;
    double values[4] = {};
    if (!read_plain_numbers<3>(values) && read_numbers(values, 3, max_attribute) < 3)
        warn("obj_short_line", "numbers are missing; they are read as 0");
    if (doc_.normals.size() >= limits_.vertices) return reject("vertices", limits_.vertices);
    make_room(doc_.normals, region_first_);
    doc_.normals.emplace_back(values[0], values[1], values[2]);
    has_zero_normals_ = has_zero_normals_ || doc_.normals.back() == glm::vec3(0.0f);
}

} // namespace vitrine::obj
