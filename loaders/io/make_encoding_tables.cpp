// Runs at build time: writes the double-byte characters of Shift-JIS (CP932) and GBK as the C library's iconv
// knows them, one 16-bit code point for each pair of bytes, 0 where there is none. A loader process cannot
// ask iconv itself: it loads a module from disk for each encoding.

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <iconv.h>

namespace {

constexpr unsigned first_lead = 0x81, last_lead = 0xFE, first_trail = 0x40, last_trail = 0xFE;

// Code points of the private use area stand for nothing that a table may name.
unsigned code_of(iconv_t converter, unsigned lead, unsigned trail)
{
    std::array<char, 2> bytes{static_cast<char>(lead), static_cast<char>(trail)};
    std::array<unsigned char, 4> unit{};
    char* in = bytes.data();
    char* out = reinterpret_cast<char*>(unit.data());
    std::size_t in_left = bytes.size();
    std::size_t out_left = unit.size();
    iconv(converter, nullptr, nullptr, nullptr, nullptr);
    const std::size_t failures = iconv(converter, &in, &in_left, &out, &out_left);
    if (failures != 0 || in_left != 0 || out_left != 2) return 0;
    const unsigned code = unit[0] | static_cast<unsigned>(unit[1]) << 8;
    return code >= 0xD800 && code < 0xF900 ? 0 : code;
}

bool write_table(std::FILE* file, const char* name, const char* encoding)
{
    iconv_t converter = iconv_open("UTF-16LE", encoding);
    if (std::bit_cast<std::intptr_t>(converter) == -1) {
        std::fprintf(stderr, "iconv does not know %s\n", encoding);
        return false;
    }
    std::fprintf(file, "constexpr std::array<std::uint16_t, %u> %s = {\n",
                 (last_lead - first_lead + 1) * (last_trail - first_trail + 1), name);
    for (unsigned lead = first_lead; lead <= last_lead; ++lead) {
        for (unsigned trail = first_trail; trail <= last_trail; ++trail)
            std::fprintf(file, "%u,", code_of(converter, lead, trail));
        std::fputc('\n', file);
    }
    std::fputs("};\n", file);
    iconv_close(converter);
    return true;
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 2) return EXIT_FAILURE;
    std::FILE* file = std::fopen(arguments[1], "w");
    if (file == nullptr) return EXIT_FAILURE;
    const bool written =
        write_table(file, "shift_jis_pairs", "CP932") && write_table(file, "gbk_pairs", "GBK");
    return std::fclose(file) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE;
}
