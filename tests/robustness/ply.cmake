vitrine_test(robustness_ply LABEL robustness TIMEOUT 300
    SOURCES ply_robustness.cpp
    LINKS loaders_ply vitrine_io vitrine_scene)
