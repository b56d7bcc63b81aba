find_package(ZLIB REQUIRED)

vitrine_test(robustness_dae LABEL robustness TIMEOUT 300
    SOURCES dae_robustness.cpp
    LINKS vitrine_samples vitrine_dae vitrine_io vitrine_scene ZLIB::ZLIB)
