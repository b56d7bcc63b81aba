find_package(ZLIB REQUIRED)
# The command line, whole.
vitrine_test(integration_cli LABEL integration WHOLE TIMEOUT 300
    SOURCES cli/cli_test.cpp cli/cli_corpus_test.cpp cli/cli_folder_test.cpp cli/cli_samples_test.cpp cli/layers_test.cpp
            cli/large_texture_test.cpp cli/looks_test.cpp cli/periodic_curves_test.cpp cli/render_test.cpp cli/variant_test.cpp cli/vrm_test.cpp ../unit/images/jpeg_samples.cpp cli/check_test.cpp
    LINKS api loaders_images vitrine_test_support PkgConfig::jpeg ZLIB::ZLIB)
add_dependencies(integration_cli vitrine)
