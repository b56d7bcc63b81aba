#include "loaders/export/fbx/fbx_tree.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>

namespace vitrine::exporting {
namespace {

constexpr std::uint32_t version = 7400;

template <class>
constexpr bool is_array = false;
template <class T>
constexpr bool is_array<std::vector<T>> = true;

// "Model::arm" is stored as "arm", zero, one, "Model".
std::string binary_text(const std::string& text)
{
    const std::size_t colons = text.find("::");
    if (colons == std::string::npos) return text;
    return text.substr(colons + 2) + std::string("\0\1", 2) + text.substr(0, colons);
}

class BinaryWriter {
public:
    std::vector<std::byte> run(const FbxElement& root)
    {
        put_text(std::string_view("Kaydara FBX Binary  \0\x1a\0", 23));
        put(version);
        for (const FbxElement& element : root.children)
            write(element);
        put_zeros(13);
        put_footer();
        return std::move(out_);
    }

private:
    static_assert(std::endian::native == std::endian::little);

    template <class T>
    void put(T value)
    {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
        out_.insert(out_.end(), bytes.begin(), bytes.end());
    }
    void put_text(std::string_view text)
    {
        const auto bytes = std::as_bytes(std::span(text));
        out_.insert(out_.end(), bytes.begin(), bytes.end());
    }
    void put_zeros(std::size_t count) { out_.resize(out_.size() + count); }

    void patch(std::size_t at, std::size_t value)
    {
        const auto narrow = static_cast<std::uint32_t>(value);
        std::memcpy(out_.data() + at, &narrow, sizeof(narrow));
    }

    void write(const FbxElement& element)
    {
        const std::size_t at = out_.size();
        put(std::uint32_t{0}); // end offset
        put(static_cast<std::uint32_t>(element.values.size()));
        put(std::uint32_t{0}); // byte size of the values
        put(static_cast<std::uint8_t>(element.name.size()));
        put_text(element.name);
        const std::size_t values_at = out_.size();
        for (const FbxValue& value : element.values)
            std::visit([&](const auto& v) { put_value(v); }, value);
        patch(at + 8, out_.size() - values_at);
        for (const FbxElement& child : element.children)
            write(child);
        if (!element.children.empty()) put_zeros(13);
        patch(at, out_.size());
    }

    void put_letter(char c) { put(c); }
    void put_value(std::int32_t v) { put_letter('I'), put(v); }
    void put_value(std::int64_t v) { put_letter('L'), put(v); }
    void put_value(double v) { put_letter('D'), put(v); }
    void put_value(const std::string& v)
    {
        const std::string text = binary_text(v);
        put_letter('S');
        put(static_cast<std::uint32_t>(text.size()));
        put_text(text);
    }
    void put_value(const FbxRaw& v)
    {
        put_letter('R');
        put(static_cast<std::uint32_t>(v.bytes.size()));
        out_.insert(out_.end(), v.bytes.begin(), v.bytes.end());
    }
    void put_value(const std::vector<std::int32_t>& v)
    {
        put_array('i', std::as_bytes(std::span(v)), v.size());
    }
    void put_value(const std::vector<std::int64_t>& v)
    {
        put_array('l', std::as_bytes(std::span(v)), v.size());
    }
    void put_value(const std::vector<float>& v) { put_array('f', std::as_bytes(std::span(v)), v.size()); }
    void put_value(const std::vector<double>& v) { put_array('d', std::as_bytes(std::span(v)), v.size()); }

    void put_array(char letter, std::span<const std::byte> bytes, std::size_t count)
    {
        constexpr std::size_t min_deflate_bytes = 128;
        std::vector<std::byte> packed;
        if (bytes.size() >= min_deflate_bytes) packed = deflate(bytes);
        const std::span<const std::byte> stored = packed.empty() ? bytes : std::span<const std::byte>(packed);
        put_letter(letter);
        put(static_cast<std::uint32_t>(count));
        put(static_cast<std::uint32_t>(packed.empty() ? 0 : 1));
        put(static_cast<std::uint32_t>(stored.size()));
        out_.insert(out_.end(), stored.begin(), stored.end());
    }

    static std::vector<std::byte> deflate(std::span<const std::byte> bytes)
    {
        const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
            libdeflate_alloc_compressor(1), &libdeflate_free_compressor);
        if (!compressor) throw std::bad_alloc();
        std::vector<std::byte> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
        out.resize(
            libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
        return out;
    }

    // Autodesk's readers check the footer; its first sixteen bytes depend on the time below FileId.
    void put_footer()
    {
        constexpr std::string_view first("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e",
                                         16);
        constexpr std::string_view last("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b",
                                        16);
        put_text(first);
        put_zeros(4);
        put_zeros(16 - out_.size() % 16);
        put(version);
        put_zeros(120);
        put_text(last);
    }

    std::vector<std::byte> out_;
};

class TextWriter {
public:
    std::vector<std::byte> run(const FbxElement& root)
    {
        out_ = "; FBX 7.4.0 project file\n";
        for (const FbxElement& element : root.children)
            write(element, 0);
        return to_bytes(out_);
    }

private:
    void write(const FbxElement& element, std::size_t depth)
    {
        if (!element.values.empty() && std::holds_alternative<FbxRaw>(element.values.front())) return;
        const std::string indent(depth, '\t');
        fmt::format_to(std::back_inserter(out_), "{}{}: ", indent, element.name);
        for (std::size_t i = 0; i < element.values.size(); ++i) {
            if (i > 0) out_ += ", ";
            std::visit([&](const auto& v) { put_value(v, depth); }, element.values[i]);
        }
        if (!element.children.empty() || element.values.empty()) {
            out_ += " {\n";
            for (const FbxElement& child : element.children)
                write(child, depth + 1);
            out_ += indent + "}";
        }
        out_ += '\n';
    }

    template <class T>
    void put_value(const T& value, std::size_t depth)
    {
        if constexpr (std::is_same_v<T, std::string>) {
            put_quoted(value);
        } else if constexpr (is_array<T>) {
            fmt::format_to(std::back_inserter(out_), "*{} {{\n{}a: {}\n{}}}", value.size(),
                           std::string(depth + 1, '\t'), fmt::join(value, ","), std::string(depth, '\t'));
        } else if constexpr (!std::is_same_v<T, FbxRaw>) { // omitted, see write()
            fmt::format_to(std::back_inserter(out_), "{}", value);
        }
    }
    void put_quoted(const std::string& text)
    {
        out_ += '"';
        for (const char c : text) {
            if (c == '"')
                out_ += "&quot;";
            else
                out_ += c;
        }
        out_ += '"';
    }

    std::string out_;
};

} // namespace

void FbxElement::property(std::string_view property_name, std::string_view type, std::string_view label,
                          std::string_view flags, std::vector<FbxValue> property_values)
{
    FbxElement& p =
        add("P", {std::string(property_name), std::string(type), std::string(label), std::string(flags)});
    p.values.insert(p.values.end(), property_values.begin(), property_values.end());
}

std::vector<std::byte> write_fbx_tree(const FbxElement& root, FbxContainer container)
{
    return container == FbxContainer::binary ? BinaryWriter().run(root) : TextWriter().run(root);
}

} // namespace vitrine::exporting
