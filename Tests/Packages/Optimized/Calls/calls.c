#define _GNU_SOURCE
#include "calls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void (*observer)(const struct call *);

static char root[4096];
// 0 while calls are left alone.
static size_t root_length;
static int is_paused;
static long count, first, second, has_failed;
static int first_error, second_error;
// The descriptors of files below the root; 2 for those on the other volume.
static char is_open[1 << 16];
static char volume[4096];
static struct { enum call_kind kind; char name[48]; } log_of_calls[4096];

void calls_start(const char *folder) {
    root_length = snprintf(root, sizeof root, "%s/", folder);
    count = 0, is_paused = 0, has_failed = 0;
}

long calls_stop(void) {
    root_length = 0;
    return count;
}

void calls_set_volume(const char *folder) { snprintf(volume, sizeof volume, "%s", folder ? folder : ""); }

void calls_observe(void (*new_observer)(const struct call *)) { observer = new_observer; }

void calls_pause(int pause) { is_paused = pause; }

void calls_fail(long at, int error, long then, int then_error) {
    first = at, first_error = error, second = then, second_error = then_error;
}

long calls_number_failed(void) { return has_failed; }

int call_changes(const struct call *call) {
    switch (call->kind) {
    case call_open: return (call->flags & (O_CREAT | O_TRUNC)) != 0;
    case call_write: case call_rename: case call_link: case call_unlink: case call_rmdir: case call_mkdir: case call_chmod:
    case call_truncate: return 1;
    default: return 0;
    }
}

const char *call_name(enum call_kind kind) {
    static const char *names[] = {"open", "read", "write", "close", "stat", "readdir", "rename", "link", "unlink", "rmdir",
                                  "mkdir", "chmod", "fsync", "ftruncate", "flock", "other"};
    return names[kind];
}

const char *calls_description(long number) {
    static char text[80];
    if (number < 1 || number > count || number > 4096) return "";
    snprintf(text, sizeof text, "%s %s", call_name(log_of_calls[number - 1].kind), log_of_calls[number - 1].name);
    return text;
}

static int is_below(const char *path) {
    return root_length && !is_paused && path && strncmp(path, root, root_length) == 0;
}

static int is_ours(int file) {
    return root_length && !is_paused && file >= 0 && file < (int)sizeof is_open && is_open[file];
}

static int is_on_volume(const char *path) {
    if (!*volume || !path) return 0;
    // The path without `..`, each of which takes a folder away.
    char plain[4096];
    size_t length = 0;
    for (const char *part = path; *part;) {
        size_t count = strcspn(part + 1, "/") + 1;
        if (count == 3 && strncmp(part, "/..", 3) == 0) {
            while (length && plain[--length] != '/') {}
        } else if (length + count < sizeof plain) {
            memcpy(plain + length, part, count), length += count;
        }
        part += count;
    }
    plain[length] = 0;
    length = strlen(volume);
    return strncmp(plain, volume, length) == 0 && (plain[length] == '/' || !plain[length]);
}

static void remember(int file, const char *path) {
    if (file >= 0 && file < (int)sizeof is_open) is_open[file] = path ? 1 + is_on_volume(path) : 0;
}

static void hear(const struct call *call) {
    // Callers of `readdir` look at it after a call that succeeds.
    int error = errno;
    if (observer) observer(call);
    errno = error;
}

// Whether a call must fail.
static int fails(struct call *call) {
    count++;
    if (count <= 4096) {
        const char *slash = call->path ? strrchr(call->path, '/') : NULL;
        log_of_calls[count - 1].kind = call->kind;
        snprintf(log_of_calls[count - 1].name, sizeof log_of_calls[0].name, "%s", slash ? slash + 1 : "");
    }
    hear(call);
    if (first && count == first) {
        has_failed++, errno = first_error;
        return 1;
    }
    if (second && count == first + second) {
        has_failed++, errno = second_error;
        return 1;
    }
    return 0;
}

static void done(struct call *call) {
    call->is_done = 1;
    hear(call);
}

#define NEXT(result, name, parameters) \
    static result(*next) parameters; \
    if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name)

#define CALL(condition, made, failure, ...) \
    if (!(condition)) return made; \
    struct call this = {__VA_ARGS__}; \
    if (fails(&this)) return failure; \
    __typeof__(made) result = made; \
    if (result != failure) done(&this); \
    return result

static int other_volume(const char *path, const char *to) {
    (void)path, (void)to;
    errno = EXDEV;
    return -1;
}

#define ONE_PATH(name, called) \
    int name(const char *path) { \
        NEXT(int, name, (const char *)); \
        CALL(is_below(path), next(path), -1, .kind = called, .path = path); \
    }

// On another volume nothing gets a second name, and nothing is moved there.
#define TWO_PATHS(name, called) \
    int name(const char *path, const char *to) { \
        NEXT(int, name, (const char *, const char *)); \
        int (*call)(const char *, const char *) = is_on_volume(path) == is_on_volume(to) ? next : other_volume; \
        CALL(is_below(path) || is_below(to), call(path, to), -1, .kind = called, .path = path, .to = to); \
    }

#define PATH_AND_MODE(name, called) \
    int name(const char *path, mode_t mode) { \
        NEXT(int, name, (const char *, mode_t)); \
        CALL(is_below(path), next(path, mode), -1, .kind = called, .path = path, .mode = mode); \
    }

static int moved(int result, struct stat *status, int is_moved) {
    if (is_moved) status->st_dev++;
    return result;
}

#define PATH_AND_STATUS(name) \
    int name(const char *path, struct stat *status) { \
        NEXT(int, name, (const char *, struct stat *)); \
        CALL(is_below(path), moved(next(path, status), status, is_on_volume(path)), -1, .kind = call_stat, .path = path); \
    }

#define ONE_FILE(name, called) \
    int name(int file) { \
        NEXT(int, name, (int)); \
        CALL(is_ours(file), next(file), -1, .kind = called, .file = file); \
    }

TWO_PATHS(rename, call_rename)
TWO_PATHS(link, call_link)
ONE_PATH(unlink, call_unlink)
ONE_PATH(rmdir, call_rmdir)
PATH_AND_MODE(mkdir, call_mkdir)
PATH_AND_MODE(chmod, call_chmod)
PATH_AND_STATUS(stat)
PATH_AND_STATUS(lstat)
ONE_FILE(fsync, call_flush)
ONE_FILE(fdatasync, call_flush)

int symlink(const char *target, const char *path) {
    NEXT(int, symlink, (const char *, const char *));
    CALL(is_below(path), next(target, path), -1, .kind = call_link, .path = path);
}

char *realpath(const char *path, char *resolved) {
    NEXT(char *, realpath, (const char *, char *));
    CALL(is_below(path), next(path, resolved), NULL, .kind = call_stat, .path = path);
}

int access(const char *path, int kind) {
    NEXT(int, access, (const char *, int));
    CALL(is_below(path), next(path, kind), -1, .kind = call_stat, .path = path);
}

ssize_t readlink(const char *path, char *bytes, size_t length) {
    NEXT(ssize_t, readlink, (const char *, char *, size_t));
    CALL(is_below(path), next(path, bytes, length), -1, .kind = call_stat, .path = path);
}

int fstat(int file, struct stat *status) {
    NEXT(int, fstat, (int, struct stat *));
    CALL(is_ours(file), moved(next(file, status), status, is_open[file] == 2), -1, .kind = call_stat, .file = file);
}

int fchmod(int file, mode_t mode) {
    NEXT(int, fchmod, (int, mode_t));
    CALL(is_ours(file), next(file, mode), -1, .kind = call_chmod, .file = file, .mode = mode);
}

int ftruncate(int file, off_t length) {
    NEXT(int, ftruncate, (int, off_t));
    CALL(is_ours(file), next(file, length), -1, .kind = call_truncate, .file = file, .length = length);
}

int flock(int file, int operation) {
    NEXT(int, flock, (int, int));
    CALL(is_ours(file), next(file, operation), -1, .kind = call_lock, .file = file, .flags = operation);
}

ssize_t read(int file, void *bytes, size_t length) {
    NEXT(ssize_t, read, (int, void *, size_t));
    CALL(is_ours(file), next(file, bytes, length), -1, .kind = call_read, .file = file);
}

ssize_t pread(int file, void *bytes, size_t length, off_t position) {
    NEXT(ssize_t, pread, (int, void *, size_t, off_t));
    CALL(is_ours(file), next(file, bytes, length, position), -1, .kind = call_read, .file = file);
}

ssize_t write(int file, const void *bytes, size_t length) {
    NEXT(ssize_t, write, (int, const void *, size_t));
    CALL(is_ours(file), next(file, bytes, length), -1, .kind = call_write, .file = file, .bytes = bytes, .length = length);
}

// The journal of a shop is written so, and a handoff never is: the recorder takes a write for one at the end.
ssize_t pwrite(int file, const void *bytes, size_t length, off_t position) {
    NEXT(ssize_t, pwrite, (int, const void *, size_t, off_t));
    CALL(is_ours(file), next(file, bytes, length, position), -1, .kind = call_write, .file = file, .bytes = bytes, .length = length);
}

// An error of `close` says that data may be lost which `fsync` has answered for, so it never fails here.
int close(int file) {
    NEXT(int, close, (int));
    remember(file, NULL);
    return next(file);
}

static int opens(int (*next)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!is_below(path)) return next(path, flags, mode);
    struct call call = {.kind = call_open, .path = path, .flags = flags, .mode = mode, .file = -1};
    if (fails(&call)) return -1;
    call.file = next(path, flags, mode);
    if (call.file < 0) return -1;
    remember(call.file, path);
    done(&call);
    return call.file;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(int, name, (const char *, int, ...)); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return opens(next, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)

DIR *opendir(const char *path) {
    NEXT(DIR *, opendir, (const char *));
    if (!is_below(path)) return next(path);
    struct call call = {.kind = call_list, .path = path};
    if (fails(&call)) return NULL;
    DIR *folder = next(path);
    if (folder) remember(dirfd(folder), path);
    return folder;
}

int closedir(DIR *folder) {
    NEXT(int, closedir, (DIR *));
    remember(dirfd(folder), NULL);
    return next(folder);
}

struct dirent *readdir(DIR *folder) {
    NEXT(struct dirent *, readdir, (DIR *));
    CALL(is_ours(dirfd(folder)), next(folder), NULL, .kind = call_list, .file = dirfd(folder));
}
