#include "RuntimeStart.h"

// Before any of Swift's code runs, so that no job escapes.
__attribute__((constructor)) static void start(void) {
#ifdef COUNTS_ALL_JOBS
    watch_main_actor(1);
#else
    watch_main_actor(0);
#endif
}
