// bvh_files FOLDER: BVH files that Vitrine's writer makes of rigs of the tests.

#include <filesystem>
#include <fstream>

#include "loaders/export/bvh/bvh_writer.hpp"
#include "tests/support/sliding_arm.hpp"

int main(int count, char** words)
{
    if (count != 2) return 2;
    std::ofstream file(std::filesystem::path(words[1]) / "sliding.bvh", std::ios::binary);
    file << vitrine::exporting::write_bvh(vitrine::test::sliding_arm(), 0);
    return file.flush() ? 0 : 1;
}
