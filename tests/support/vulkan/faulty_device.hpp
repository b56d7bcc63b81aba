#pragma once
// Parts of the functions of a device. Private to tests/support/vulkan.

#include "tests/support/vulkan/faulty_vulkan.hpp"
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::test {

// The driver's function table. One for all devices: a process has one driver, with or without the validation
// layers.
VolkDeviceTable& driver();

// Decrements a countdown; returns true when it reaches its end.
bool strikes(std::atomic<int>& countdown);
// Counts a call that creates or allocates; returns whether it must fail.
bool is_out_of_memory();

// faulty_memory.cpp, faulty_commands.cpp: put their functions into the table.
void replace_memory_functions(VolkDeviceTable& table);
void replace_command_functions(VolkDeviceTable& table);

} // namespace vitrine::test
