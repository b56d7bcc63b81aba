# One shard per sample, which is then written once for all its tests.
vitrine_test(robustness_samples LABEL robustness TIMEOUT 900 SHARDS 5
    SOURCES samples_robustness.cpp
    LINKS loaders_worker_program server_samples vitrine_io vitrine_scene)

vitrine_test(robustness_changed_samples LABEL robustness TIMEOUT 900 SHARDS 5
    SOURCES mutated_samples.cpp
    LINKS loaders_worker_program server_samples vitrine_io vitrine_scene)
