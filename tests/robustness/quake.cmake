vitrine_test(robustness_md2 LABEL robustness TIMEOUT 300
    SOURCES md2_robustness.cpp
    LINKS vitrine_md2 vitrine_io vitrine_scene)
