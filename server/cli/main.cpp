#include "server/cli/command.hpp"

int main(int argc, char** argv)
{
    return vitrine::cli::run(argc, argv);
}
