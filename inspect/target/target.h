/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process to be read: alive, a core file, or out of a snapshot; source places.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_H
#define MPILENS_INSPECT_TARGET_TARGET_H

#include "base/base.h"
#include "mpilens/extension.h"
#include "text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct target;
struct target_recording;
struct tick_clock;

/* -- freeze.c --
 * Stopping processes while they are read. Through ptrace without signals: whatever happens to this command, the kernel
 * lets them run on; one that was stopped before stays stopped.
 */

/* Zero-initialised is "nothing is frozen". */
struct freeze {
    struct frozen_thread {
        pid_t thread;
        bool stopped;
        bool is_given_up; /* it has not stopped for so long that it is not waited for again */
        int signal;       /* that arrived together with the stop, 0: none */
    } * threads;
    size_t count;
};

/* The name of a thread (PR_SET_NAME) that traces a process until that ends: nobody waits for its turn to be over. */
#define FREEZE_WATCHER "mpilens run"

/* How long other readers, processes of the same program, may hold a process, one after the other. */
extern int freeze_turn_ms;

/* Stops all threads of the process and returns when they stand still. 0, or -1 and a reason; then it runs. All calls
 * for one freeze must come from the same thread. */
int freeze_process(pid_t pid, struct freeze *freeze, struct reason *ret_reason);
/* The same in two steps, for several processes: begin all, then finish each. They stop at the same time, and the
 * slowest is waited for, not one after the other. */
int freeze_begin(pid_t pid, struct freeze *freeze, struct reason *ret_reason);
int freeze_finish(pid_t pid, struct freeze *freeze, struct reason *ret_reason);
void freeze_release(struct freeze *freeze);

/* -- mapped_files.c --
 * The files that a process has mapped, as the kernel knows them. Ranks of a job have mapped the same ones.
 */

/* Mappings of one file, one behind the other. The inode tells the file, while it is mapped, from others of that name.
 */
struct mapped_file {
    uint64_t start;
    uint64_t end;
    uint64_t inode; /* 0: memory without a file */
    unsigned device_major;
    unsigned device_minor;
    bool is_data;     /* shared with processes that see writes to it, and no code: no program or library */
    const char *name; /* a path, or a word such as "[vdso]" */
};

/* By address. Zero-initialised is empty. */
struct mapped_files {
    struct mapped_file *files;
    size_t count;
};

/* 0, or an error as of kept_maps_visit(). */
int mapped_files_read(pid_t pid, struct mapped_files *ret_files);
/* The one that starts there; NULL: none does. */
const struct mapped_file *mapped_files_find(const struct mapped_files *files, uint64_t start);

/* -- target.c --
 * A process to be read: alive, as a core file, or out of a snapshot. Reading never stops it.
 */

void target_close(struct target *target); /* NULL is fine */

/* Copies memory of the target. 0, or an errno: EFAULT not mapped, ESRCH gone, EPERM not allowed. On failure the content
 * of `ret_bytes` is undefined. */
int target_read(struct target *target, uint64_t address, void *ret_bytes, size_t count);
/* As target_read, where there may be nothing: failing says nothing about the target, except that it is gone. */
bool target_peek(struct target *target, uint64_t address, void *ret_bytes, size_t count);
/* The same, but no snapshot gets it: to look whether there is what is worth that. */
bool target_glance(struct target *target, uint64_t address, void *ret_bytes, size_t count);
/* The worst that target_read has met so far, ESRCH before EPERM before EFAULT; 0: nothing. */
int target_read_error(const struct target *target);

/* The meaning of an address. Text is valid until the target is closed; unknown parts are NULL or 0. False: in no
 * module. */
struct target_place {
    const char *module;
    uint64_t offset;      /* of the address from where the module is loaded */
    uint64_t file_offset; /* of the address in the module's file, as addr2line takes it */
    const char *function;
    const char *path; /* of the source file */
    int line;
    const char *hint; /* advice how to get a line; only of target_find_source and target_find_functions */
};
bool target_find_module(struct target *target, uint64_t address, struct target_place *ret_place);

int target_pointer_bytes(const struct target *target);
bool target_is_other_byte_order(const struct target *target);
pid_t target_pid(const struct target *target);              /* 0: not known */
const char *target_executable(const struct target *target); /* NULL: not known */
const char *target_core_path(const struct target *target);  /* NULL: alive */
/* When the core was written; 0: not known. */
struct timespec target_core_time(const struct target *target);
bool target_is_live(const struct target *target);
uid_t target_user(const struct target *target);           /* the real user of a living process */
bool target_has_lost_box(const struct target *target);    /* it is a core file without the tables: their file is gone */
const char *target_box_host(const struct target *target); /* on which its process ran; NULL: it is no black box */
bool target_box_is_from_here(const struct target *target);
bool target_has_ended(const struct target *target); /* it is a black box, whose process was gone when it was opened */
/* How ticks became ages when the snapshot was taken; NULL: not a target of a snapshot. */
const struct tick_clock *target_snapshot_clock(const struct target *target);

/* From now on, all that is asked of the target and answered is kept; NULL until then. */
void target_record(struct target *target);
struct target_recording *target_recording(const struct target *target);

/* A file that is mapped. Text is valid until `visit` returns. */
struct target_module {
    uint64_t start, end;
    const char *path;
    const unsigned char *build_id;
    size_t build_id_bytes; /* 0: not known */
};

/* -- memory_budget.c --
 * How much memory the copy of a process may take.
 */

/* In proportion to the memory that the target really has: tables may be said to be of any length where nothing was
 * ever written. SIZE_MAX: no limit, as of a snapshot, which has what was read. */
size_t memory_budget(const struct target *target);

/* Memory that the copies of all processes of a job may take beyond their own budgets, together. */
enum { MEMORY_BUDGET_OF_JOB = 256 << 20 };

/* -- site.c -- Places in programs: the source line of a return address. Looked up once per place of a file, whatever
 * the ranks and their addresses.
 */

struct site {
    const char *module;   /* path of the program or library */
    const char *function; /* NULL: not known */
    const char *file;     /* without directories; NULL: not known */
    const char *path;     /* of the file as the compiler was given it; NULL: not known */
    int line;             /* 0: not known */
    uint64_t offset;      /* of the call in the module, as addr2line takes it; 0: not known */
    const char *called;   /* the function of a library that is called there, in which the call in question is made;
                             NULL: it is made there */
    const char *hint;     /* advice how to get a line; NULL: there is one, nothing helps, or only a stack has it */
};

/* Zero-initialised is empty. */
struct site_cache {
    struct arena_node *root;   /* struct cached_site */
    struct arena_node *stored; /* struct site: those that site_cache_add has kept */
    struct text_pool names;    /* in whose arena all sites are */
    const char **hints;        /* of the sites that site_find has found or a snapshot had, each once, the first ones */
    size_t hint_count;
};

/* The site of the return address `address` in `target`, valid until the cache is cleared; NULL: in no module. The call
 * is before the return address, so the line belongs to address - 1, and the function is the innermost one that the
 * compiler has inlined there, if any. Without a line, the site keeps its hint. */
const struct site *site_find(struct site_cache *cache, struct target *target, uint64_t address);
/* The function that has code of its own, without the line, which takes longer to find; it is there if somebody has
 * asked for it before. */
const struct site *site_find_function(struct site_cache *cache, struct target *target, uint64_t address);
/* As site_find, for each of the functions there: inlined ones, innermost first, each called by the next at that one's
 * line, then the function that they were inlined into. Returns their number, 0: in no module. Without hints: every
 * stack has frames that no user has compiled. */
size_t site_find_inlined(struct site_cache *cache, struct target *target, uint64_t address,
                         const struct site **ret_sites);
/* Whether both are the same line, or the same place where lines are not known; two that are not known are. */
bool site_is_same(const struct site *left, const struct site *right);
/* "halo+0x1139", for addr2line -e halo 0x1139; "halo" where the offset is not known. The caller frees it. */
char *site_describe_offset(const struct site *site);
/* "cg (wrap.c:11)"; without a line "cg (libsolver.so)", or "app+0x1139". The offset would only tell apart what
 * different ranks do in one function. The caller frees it. */
char *site_describe_function(const struct site *site);
/* The cache's copy of a site that was found elsewhere, with its hint; the same for the same site. Its texts must last
 * as long as the cache. */
const struct site *site_cache_add(struct site_cache *cache, const struct site *site);
/* Keeps the hint of a site that is not of this cache; NULL is fine. */
void site_cache_add_hint(struct site_cache *cache, const char *hint);
void site_cache_clear(struct site_cache *cache);

/* -- target_core.c --
 * A core file as a target.
 */

/* 0 and a target to be closed, or -1 and a reason. */
int target_open_core(const char *path, struct target **ret_target, struct reason *ret_reason);
/* False: it can be read, and is none. */
bool target_core_may_be(const char *path);

/* -- target_crash.c --
 * The reason why a core file was written.
 */

struct crash {
    int signal;
    pid_t thread; /* that it came for */
};

/* Whether the process has died of a fault of its own: not where another process has asked for the core file, by a
 * signal or a debugger. False of what is no core file of this machine. */
bool target_find_crash(const struct target *target, struct crash *ret_crash);

/* -- target_live.c --
 * A living process as a target.
 */

/* 0 and a target to be closed, or -1 and a reason. */
int target_open_process(pid_t pid, struct target **ret_target, struct reason *ret_reason);

/* -- target_modules.c --
 * The files that a target has mapped.
 */

void target_for_each_module(struct target *target, void (*visit)(void *context, const struct target_module *module),
                            void *context);

/* -- tick_clock.c --
 * Converts ticks of a process to ages in seconds.
 */

struct tick_clock {
    bool known;
    double now; /* ticks */
    double ticks_per_ns;
};

/* A moment on this host, for ages of several processes that can be compared. */
struct tick_moment {
    uint64_t ticks; /* of the processor; 0: it has no counter that can be read */
    uint64_t ns;    /* CLOCK_MONOTONIC */
    /* As the first process has reckoned it that could; 0: none has. Equal lengths keep the order of what happened. */
    double ticks_per_ns;
};
struct tick_moment tick_moment_now(void);

/* The clock of a process that lives on this host, at that moment. May take some milliseconds to measure how long a tick
 * is. */
struct tick_clock tick_clock_live(const struct mpilens_clock_information *information, struct tick_moment *moment);
/* The clock of a process that ended at `end` (CLOCK_REALTIME). */
struct tick_clock tick_clock_ended(const struct mpilens_clock_information *information, struct timespec end);

/* Seconds since `ticks`, never negative; -1: not known, or `ticks` is 0. */
double tick_clock_age(const struct tick_clock *clock, uint64_t ticks);

/* -- target_recording.c --
 * A record of the questions to a target and its answers: memory, symbols, places. Enough to answer the same questions
 * again without it.
 */

struct target_recording *target_recording_create(void);
void target_recording_destroy(struct target_recording *recording); /* NULL is fine */

/* The last memory read at an address counts. */
void target_recording_add_memory(struct target_recording *recording, uint64_t address, const void *bytes, size_t count);
void target_recording_add_symbol(struct target_recording *recording, const char *name, uint64_t address);
void target_recording_add_place(struct target_recording *recording, uint64_t address);
/* How ticks of the process became ages. */
void target_recording_set_clock(struct target_recording *recording, const struct tick_clock *clock);
const struct tick_clock *target_recording_clock(const struct target_recording *recording);

/* These call `visit` for all until it returns another value than 0, and return that. Memory comes by address in ranges
 * that do not overlap, of at most TARGET_RECORDING_RANGE bytes. */
enum { TARGET_RECORDING_RANGE = 1 << 20 };
int target_recording_for_each_range(struct target_recording *recording,
                                    int (*visit)(void *context, uint64_t address, const void *bytes, size_t count),
                                    void *context);
int target_recording_for_each_symbol(const struct target_recording *recording,
                                     int (*visit)(void *context, const char *name, uint64_t address), void *context);
int target_recording_for_each_place(const struct target_recording *recording,
                                    int (*visit)(void *context, uint64_t address), void *context);

/* -- target_symbols.c --
 * Symbols of a target, and the runtime that it has loaded.
 */

/* Address of a dynamic symbol; runtimes of mpilens are searched first. False: there is none. */
bool target_find_symbol(struct target *target, const char *name, uint64_t *ret_address);

/* As target_find_symbol, for an interpreter that the process runs, as a program or as a library; skips other
 * modules. */
bool target_find_interpreter_symbol(struct target *target, const char *name, uint64_t *ret_address);

/* Address of a symbol of the program that it exports or that is in its symbol table, unless that is stripped. */
bool target_find_program_symbol(struct target *target, const char *name, uint64_t *ret_address);

/* Path of the runtime of mpilens that is loaded; NULL: none. Valid until the target is closed. */
const char *target_find_runtime(struct target *target);

#endif
