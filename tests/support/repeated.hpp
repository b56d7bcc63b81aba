#pragma once
// A text several times, for files of many equal parts.

#include <string>
#include <string_view>

namespace vitrine::test {

inline std::string repeated(int count, std::string_view text)
{
    std::string all;
    for (int i = 0; i < count; ++i)
        all += text;
    return all;
}

} // namespace vitrine::test
