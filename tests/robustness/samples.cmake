# On the release build alone: seventy thousand loads.
vitrine_test(robustness_samples LABEL robustness NOT_SANITIZED TIMEOUT 900
    SOURCES samples_robustness.cpp
    LINKS vitrine_loader_formats vitrine_samples vitrine_io vitrine_scene)
