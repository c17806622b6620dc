// In SimulatedRuntime. Linking this target calls it.
void watch_main_actor(int counts_all_jobs);
