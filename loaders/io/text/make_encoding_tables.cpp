// Runs at build time: writes the tables of encoding_tables.hpp from the C library's iconv. A loader process
// cannot use iconv itself, since it loads a module from disk for each encoding.

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include <iconv.h>

#include "loaders/io/text/encoding_tables.hpp"

namespace {

using namespace vitrine::io;

class IconvDecoder {
public:
    explicit IconvDecoder(const char* encoding) : handle_(iconv_open("UTF-16LE", encoding))
    {
        if (is_open()) return;
        std::fprintf(stderr, "iconv does not support %s\n", encoding);
    }
    ~IconvDecoder()
    {
        if (is_open()) iconv_close(handle_);
    }
    IconvDecoder(const IconvDecoder&) = delete;
    IconvDecoder& operator=(const IconvDecoder&) = delete;

    bool is_open() const { return std::bit_cast<std::intptr_t>(handle_) != -1; }

    // 0 for bytes that are not exactly one 16-bit character. Private use code points are excluded, since they
    // have no defined meaning.
    unsigned code_of(std::span<char> bytes)
    {
        std::array<unsigned char, 4> unit{};
        char* in = bytes.data();
        char* out = reinterpret_cast<char*>(unit.data());
        std::size_t in_left = bytes.size();
        std::size_t out_left = unit.size();
        iconv(handle_, nullptr, nullptr, nullptr, nullptr);
        const std::size_t failures = iconv(handle_, &in, &in_left, &out, &out_left);
        // An encoding with combining marks withholds a letter until the next character is known.
        iconv(handle_, nullptr, nullptr, &out, &out_left);
        if (failures != 0 || in_left != 0 || out_left != 2) return 0;
        const unsigned code = unit[0] | static_cast<unsigned>(unit[1]) << 8;
        return code >= 0xD800 && code < 0xF900 ? 0 : code;
    }

private:
    iconv_t handle_;
};

bool write_pairs(std::FILE* file, const char* name, const char* encoding)
{
    IconvDecoder converter(encoding);
    if (!converter.is_open()) return false;
    std::fprintf(file, "const DoubleByteTable %s = {\n", name);
    for (unsigned lead = first_lead; lead <= last_lead; ++lead) {
        for (unsigned trail = first_trail; trail <= last_trail; ++trail) {
            std::array<char, 2> bytes{static_cast<char>(lead), static_cast<char>(trail)};
            std::fprintf(file, "%u,", converter.code_of(bytes));
        }
        std::fputc('\n', file);
    }
    std::fputs("};\n", file);
    return true;
}

bool write_single_byte_sets(std::FILE* file)
{
    std::fputs("const std::array<SingleByteSet, single_byte_names.size()> single_byte_sets{{\n", file);
    for (const char* encoding : single_byte_names) {
        IconvDecoder converter(encoding);
        if (!converter.is_open()) return false;
        std::fprintf(file, "{\"%s\", {", encoding);
        for (unsigned byte = 0x80; byte <= 0xFF; ++byte) {
            std::array<char, 1> bytes{static_cast<char>(byte)};
            std::fprintf(file, "%u,", converter.code_of(bytes));
        }
        std::fputs("}},\n", file);
    }
    std::fputs("}};\n", file);
    return true;
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 2) return EXIT_FAILURE;
    std::FILE* file = std::fopen(arguments[1], "w");
    if (file == nullptr) return EXIT_FAILURE;
    std::fputs("#include \"loaders/io/text/encoding_tables.hpp\"\nnamespace vitrine::io {\n", file);
    const bool written = write_pairs(file, "shift_jis_pairs", "CP932") &&
                         write_pairs(file, "gbk_pairs", "GBK") &&
                         write_pairs(file, "euc_kr_pairs", "CP949") &&
                         write_pairs(file, "big5_pairs", "CP950") && write_single_byte_sets(file);
    std::fputs("} // namespace vitrine::io\n", file);
    return std::fclose(file) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE;
}
