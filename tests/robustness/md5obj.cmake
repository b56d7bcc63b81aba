vitrine_test(robustness_md5 LABEL robustness TIMEOUT 300
    SOURCES md5_robustness.cpp
    LINKS loaders_md5 vitrine_io vitrine_scene)

vitrine_test(robustness_obj LABEL robustness TIMEOUT 300
    SOURCES obj_robustness.cpp
    LINKS loaders_obj vitrine_io vitrine_scene)
