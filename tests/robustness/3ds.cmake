vitrine_test(robustness_3ds LABEL robustness TIMEOUT 300
    SOURCES 3ds_robustness.cpp
    LINKS loaders_3ds vitrine_io vitrine_scene)
