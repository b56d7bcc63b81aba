find_package(ZLIB REQUIRED)

vitrine_test(robustness_dae LABEL robustness TIMEOUT 300
    SOURCES dae_robustness.cpp
    LINKS server_samples loaders_dae vitrine_io vitrine_scene ZLIB::ZLIB)
