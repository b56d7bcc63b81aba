vitrine_test(robustness_md2 LABEL robustness TIMEOUT 300
    SOURCES md2_robustness.cpp
    LINKS loaders_md2 vitrine_io vitrine_scene)

vitrine_test(robustness_md3 LABEL robustness TIMEOUT 300
    SOURCES md3_robustness.cpp
    LINKS loaders_md3 vitrine_io vitrine_scene)
