vitrine_test(robustness_bvh LABEL robustness TIMEOUT 300
    SOURCES bvh_robustness.cpp
    LINKS loaders_bvh vitrine_io vitrine_scene)
