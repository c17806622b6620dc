// Ends the process at its n-th call that changes a file system, before the call; KILL_AT is n. With FAIL_WITH, an errno, that
// call fails instead, and with THEN_KILL, a number, the process ends so many calls later. With SEND, a signal's number, the process gets
// that signal instead, and may go on. With STOP, the process stops instead of
// ending, once, and goes on when it is told to. Preloaded by the tests that end processes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static atomic_int calls;

// Whether the call must fail.
static int count(void) {
    static int limit, error, then;
    if (!limit) {
        const char *at = getenv("KILL_AT"), *with = getenv("FAIL_WITH");
        error = with ? atoi(with) : 0;
        then = getenv("THEN_KILL") ? atoi(getenv("THEN_KILL")) : 0;
        limit = at ? atoi(at) : -1;
    }
    int call = atomic_fetch_add(&calls, 1) + 1;
    if (limit < 0 || call < limit) return 0;
    if (getenv("STOP")) {
        if (call == limit) raise(SIGSTOP);
        return 0;
    }
    if (getenv("SEND")) {
        if (call == limit) raise(atoi(getenv("SEND")));
        return 0;
    }
    if (!error || then && call == limit + then) kill(getpid(), SIGKILL);
    // One call fails; what cleans up after it works again.
    if (call > limit) return 0;
    errno = error;
    return 1;
}

// With INTERRUPT, a signal interrupts every second call of the program that may wait, so that it has to be made again. Libraries
// such as Foundation, which don't make their calls again, aren't interrupted.
static int interrupts(void *caller) {
    static atomic_int waits;
    Dl_info library;
    if (!getenv("INTERRUPT") || dladdr(caller, &library) && strstr(library.dli_fname, ".so")) return 0;
    if (atomic_fetch_add(&waits, 1) % 2) return 0;
    errno = EINTR;
    return 1;
}

#define is_interrupted() interrupts(__builtin_return_address(0))

static int is_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

// With TRACE, a path, the calls that decide what survives a loss of power are written there, a line each: a call and its paths.
static void trace(const char *call, const char *from, const char *to) {
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const char *path = getenv("TRACE");
    if (!path) return;
    int file = next(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    dprintf(file, "%s\t%s\t%s\n", call, from, to);
    close(file);
}

static void trace_file(const char *call, int file) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    trace(call, path, "");
}

static int exists(const char *path) {
    int (*look)(int, const char *, int, int) = dlsym(RTLD_NEXT, "faccessat");
    return look(AT_FDCWD, path, F_OK, 0) == 0;
}

// With FULL_WHILE, a path, the disk is full as long as there is that file: nothing can be written or made.
static int is_full(void) {
    const char *path = getenv("FULL_WHILE");
    if (!path || !exists(path)) return 0;
    errno = ENOSPC;
    return 1;
}

#define WRAP(name, parameters, arguments) \
    int name parameters { \
        static int (*next) parameters; \
        if (!next) next = dlsym(RTLD_NEXT, #name); \
        return count() ? -1 : next arguments; \
    }

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    trace("name", from, to);
    return count() ? -1 : next(from, to);
}

// With LINKS_FAIL_WITH, an errno, no file gets a second name, as on file systems without hard links.
int link(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (!next) next = dlsym(RTLD_NEXT, "link");
    const char *with = getenv("LINKS_FAIL_WITH");
    if (with) {
        errno = atoi(with);
        return -1;
    }
    trace("name", from, to);
    return count() ? -1 : next(from, to);
}

WRAP(unlink, (const char *path), (path))
WRAP(rmdir, (const char *path), (path))

int mkdir(const char *path, mode_t mode) {
    int (*next)(const char *, mode_t) = dlsym(RTLD_NEXT, "mkdir");
    if (!exists(path)) trace("make", path, "");
    return !exists(path) && is_full() || count() ? -1 : next(path, mode);
}

WRAP(chmod, (const char *path, mode_t mode), (path, mode))

// With FOLDERS_FAIL_WITH, an errno, no folder can be flushed, as on some file systems.
int fsync(int file) {
    static int (*next)(int);
    if (!next) next = dlsym(RTLD_NEXT, "fsync");
    struct stat status;
    const char *with = getenv("FOLDERS_FAIL_WITH");
    if (with && fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = atoi(with);
        return -1;
    }
    trace_file("flush", file);
    return is_interrupted() || count() ? -1 : next(file);
}

ssize_t read(int file, void *bytes, size_t length) {
    static ssize_t (*next)(int, void *, size_t);
    if (!next) next = dlsym(RTLD_NEXT, "read");
    return is_file(file) && is_interrupted() ? -1 : next(file, bytes, length);
}

int ftruncate(int file, off_t length) {
    int (*next)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
    return is_interrupted() || count() ? -1 : next(file, length);
}

int statvfs(const char *path, struct statvfs *status) {
    int (*next)(const char *, struct statvfs *) = dlsym(RTLD_NEXT, "statvfs");
    int result = next(path, status);
    if (is_full()) status->f_bavail = 0;
    return result;
}

ssize_t write(int file, const void *bytes, size_t length) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = dlsym(RTLD_NEXT, "write");
    if (is_file(file) && is_full()) return -1;
    if (is_file(file)) trace_file("write", file);
    return is_file(file) && (is_interrupted() || count()) ? -1 : next(file, bytes, length);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t position) {
    static ssize_t (*next)(int, const void *, size_t, off_t);
    if (!next) next = dlsym(RTLD_NEXT, "pwrite");
    trace_file("write", file);
    return is_full() || is_interrupted() || count() ? -1 : next(file, bytes, length, position);
}

ssize_t pread(int file, void *bytes, size_t length, off_t position) {
    ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
    return is_interrupted() ? -1 : next(file, bytes, length, position);
}

static int opens(const char *name, const char *path, int flags, mode_t mode) {
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
    if (flags & O_CREAT && !exists(path)) trace("make", path, "");
    return flags & O_CREAT && (!exists(path) && is_full() || count()) ? -1 : next(path, flags, mode);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return is_interrupted() ? -1 : opens(#name, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)

// With STOP_AT_LOCK, a number, the process stops before it locks a file for the n-th time.
int flock(int file, int operation) {
    static atomic_int locks;
    int (*next)(int, int) = dlsym(RTLD_NEXT, "flock");
    const char *at = getenv("STOP_AT_LOCK");
    if (at && atomic_fetch_add(&locks, 1) + 1 == atoi(at)) raise(SIGSTOP);
    return is_interrupted() ? -1 : next(file, operation);
}

// With BLIND_FOR, the end of a path, nobody can find out whether there is such a file: EIO.
static int is_hidden(const char *path) {
    const char *end = getenv("BLIND_FOR");
    if (!end || !path) return 0;
    size_t length = strlen(path), tail = strlen(end);
    if (length < tail || strcmp(path + length - tail, end)) return 0;
    errno = EIO;
    return 1;
}

#define LOOK(name, parameters, arguments) \
    int name parameters { \
        int (*next) parameters = dlsym(RTLD_NEXT, #name); \
        return is_hidden(path) ? -1 : next arguments; \
    }

LOOK(stat, (const char *path, struct stat *status), (path, status))
LOOK(lstat, (const char *path, struct stat *status), (path, status))
LOOK(stat64, (const char *path, struct stat64 *status), (path, status))
LOOK(lstat64, (const char *path, struct stat64 *status), (path, status))
LOOK(access, (const char *path, int mode), (path, mode))
LOOK(faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags))
LOOK(fstatat, (int folder, const char *path, struct stat *status, int flags), (folder, path, status, flags))
