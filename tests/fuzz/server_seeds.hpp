#pragma once
// What the targets of the server start from.

#include <functional>
#include <string>
#include <string_view>

namespace vitrine::test {

void add_server_seeds(const std::function<void(const std::string& target, std::string_view bytes)>& add);

} // namespace vitrine::test
