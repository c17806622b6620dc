#define _GNU_SOURCE
#include "calls.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Where the hash seeds differ, the order of an object's members does, and a seed makes another case.
__attribute__((constructor)) static void begin_again(int count, char **arguments) {
    (void)count;
    if (getenv("SWIFT_DETERMINISTIC_HASHING")) return;
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
    execv("/proc/self/exe", arguments);
}

static pid_t child;

static void end(int number) {
    kill(child, SIGKILL);
    _exit(128 + number);
}

void progress_note(struct progress *progress, const char *what) {
    snprintf(progress->what, sizeof progress->what, "%s", what);
}

struct progress *supervise(uint64_t seed, int seconds) {
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    progress->seed = seed;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        setvbuf(stdout, NULL, _IOLBF, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        return progress;
    }
    signal(SIGTERM, end), signal(SIGINT, end);
    uint64_t seen = progress->done;
    double idle = 0;
    int status = 0, is_hanging = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
        idle = progress->done == seen ? idle + 0.02 : 0;
        seen = progress->done;
        if (idle > seconds && !is_hanging) is_hanging = !kill(child, SIGKILL);
    }
    if (WIFEXITED(status)) exit(WEXITSTATUS(status) || progress->failures ? 1 : 0);
    progress->failures++;
    if (is_hanging) printf("%s: it hangs\n", progress->what);
    else printf("%s: it crashes, with signal %d\n", progress->what, WTERMSIG(status));
    fflush(stdout);
    exit(1);
}
