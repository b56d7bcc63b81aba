vitrine_test(unit_scene_json LABEL unit
    SOURCES scene_json_test.cpp
    LINKS api vitrine_test_support)
