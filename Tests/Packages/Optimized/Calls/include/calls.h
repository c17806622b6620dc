// The file calls of this process. The program itself defines them, so that those of its libraries come here too.
#pragma once

#include <stdint.h>
#include <sys/types.h>

enum call_kind {
    call_open, call_read, call_write, call_close, call_stat, call_list, call_rename, call_link, call_unlink, call_rmdir,
    call_mkdir, call_chmod, call_flush, call_truncate, call_lock, call_other,
};

struct call {
    enum call_kind kind;
    // Whether the call was made, and succeeded. Before that it is false.
    int is_done;
    const char *_Nullable path;
    const char *_Nullable to;
    int file;
    int flags;
    mode_t mode;
    const void *_Nullable bytes;
    long length;
};

// From here on the calls below a folder are counted, or all of them are left alone.
void calls_start(const char *_Nonnull root);
// Ends that, and returns how many there were.
long calls_stop(void);
// Suspends counting, such as while the app's own code runs.
void calls_pause(int is_paused);

// The calls with these numbers, the second counted from the first, fail with these errors. 0 is no call.
void calls_fail(long first, int error, long second, int second_error);
// How many have failed since the start.
long calls_number_failed(void);

// From here on a folder is as if it were on another volume; NULL for none.
void calls_set_volume(const char *_Nullable folder);

// Hears of each call before it is made, and once it has succeeded.
void calls_observe(void (*_Nullable observer)(const struct call *_Nonnull));

// Whether a call changes what is in a folder or a file.
int call_changes(const struct call *_Nonnull call);

// The name of a call, such as `rename`.
const char *_Nonnull call_name(enum call_kind kind);
// The n-th call since the start, with the last component of its path, for messages.
const char *_Nonnull calls_description(long number);

// What a supervised process tells the one that watches it.
struct progress {
    volatile uint64_t seed;
    volatile uint64_t done;
    volatile uint64_t failures;
    // What it does now.
    char what[1000];
};

// Continues in a child, and returns there only. The parent exits when the child has ended, has crashed, or has made no progress
// for so many seconds.
void progress_note(struct progress *_Nonnull progress, const char *_Nonnull what);
struct progress *_Nonnull supervise(uint64_t seed, int seconds);
