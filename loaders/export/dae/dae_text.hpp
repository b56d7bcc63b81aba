#pragma once
// Writes COLLADA XML: elements, sources, numbers that read back to the same bits.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <glm/glm.hpp>

namespace vitrine::exporting {

class DaeText {
public:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
        out_ += '\n';
    }
    void numbers(std::span<const float> values);
    // Writes a <source> of `width` floats per element, with a <param> of `type` for each word of `names`.
    // Names are arbitrary, but some readers (OpenCOLLADA, and so Blender) identify times and matrices by the
    // usual ones.
    void source(std::string_view id, std::span<const float> values, std::size_t width, std::string_view names,
                std::string_view type = "float");
    // Writes a <source> of words: Name_array or IDREF_array.
    void words(std::string_view id, std::span<const std::string> values, std::string_view kind,
               std::string_view name);
    void matrix(std::string_view tag, const glm::mat4& m);
    // Writes <name> around the output of `write`; nothing when that is empty, because the schema has no empty
    // libraries.
    template <class Write>
    void section(std::string_view name, Write write)
    {
        const std::size_t start = out_.size();
        line("<{}>", name);
        const std::size_t inside = out_.size();
        write();
        if (out_.size() == inside)
            out_.resize(start);
        else
            line("</{}>", name);
    }
    std::string& text() { return out_; }

private:
    std::string out_;
};

std::string escaped(std::string_view text);
// Appends the matrix in row order, as the format stores it.
void append_rows(const glm::mat4& m, std::vector<float>& out);

} // namespace vitrine::exporting
