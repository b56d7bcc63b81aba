#pragma once
// The files of the sample library, for tests that only read them. Link server_samples.

#include <map>
#include <string>
#include <vector>

#include "server/samples/samples.hpp"

namespace vitrine::test {

// The sample in every format, written once per process: writing takes longer than most tests. One thread.
inline const std::vector<samples::SampleFile>& formats_of(const samples::Sample& sample)
{
    static std::map<std::string, std::vector<samples::SampleFile>> written;
    const auto [known, is_new] = written.try_emplace(sample.name);
    if (is_new) known->second = samples::write_formats(sample.name, sample.make());
    return known->second;
}

} // namespace vitrine::test
