vitrine_test(robustness_stl LABEL robustness TIMEOUT 300
    SOURCES stl_robustness.cpp
    LINKS loaders_stl vitrine_io vitrine_scene)
