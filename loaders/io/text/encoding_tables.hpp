#pragma once
// Code points of non-Unicode encodings, generated at build time by make_encoding_tables. 0 for undefined
// codes. Private to loaders/io.

#include <array>
#include <cstdint>
#include <string_view>

namespace vitrine::io {

constexpr unsigned first_lead = 0x81, last_lead = 0xFE, first_trail = 0x40, last_trail = 0xFE;
constexpr unsigned trail_byte_count = last_trail - first_trail + 1;

// Code points by lead and trail byte, in the order of lead bytes.
using DoubleByteTable = std::array<std::uint16_t, std::size_t{last_lead - first_lead + 1} * trail_byte_count>;
extern const DoubleByteTable shift_jis_pairs; // as in Windows: code pages 932, 936, 949 and 950
extern const DoubleByteTable gbk_pairs;
extern const DoubleByteTable euc_kr_pairs;
extern const DoubleByteTable big5_pairs;

// Code points of the bytes 0x80 to 0xFF of an ASCII-compatible encoding.
using HighHalf = std::array<std::uint16_t, 128>;
struct SingleByteSet {
    std::string_view name; // iconv name
    HighHalf codes;
};
constexpr std::array single_byte_names{
    "CP1250",      "CP1251",      "CP1252",      "CP1253",      "CP1254",     "CP1255",
    "CP1256",      "CP1257",      "CP1258",      "CP874",       "ISO-8859-2", "ISO-8859-3",
    "ISO-8859-4",  "ISO-8859-5",  "ISO-8859-6",  "ISO-8859-7",  "ISO-8859-8", "ISO-8859-10",
    "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "KOI8-R",     "KOI8-U",
    "CP437",       "CP850",       "CP852",       "CP866",       "MACINTOSH"};
extern const std::array<SingleByteSet, single_byte_names.size()> single_byte_sets;

} // namespace vitrine::io
