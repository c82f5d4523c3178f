/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocation, arenas of texts, reasons of failure, files of `/proc`, sets of ranks; reads that never end, files that
 * shrink while they are mapped.
 */
#ifndef MPILENS_INSPECT_BASE_BASE_H
#define MPILENS_INSPECT_BASE_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

struct arena_node;
struct maps_ahead;

/* -- allocation.c --
 * Memory of the command. Nothing here returns NULL: without memory there is nothing left to show, so the command says
 * so on standard error and exits with EXIT_UNREADABLE (a frozen rank is resumed by the kernel then).
 */

/* Before all else: arrays that are large get memory of their own, which grows without a copy and goes back to the
 * system when it is freed. Else the C library puts them between the others once large ones were freed. */
void allocation_prepare(void);

/* Zeroed; the caller frees it. */
void *allocate(size_t bytes);
char *copy_text(const char *text);
__attribute__((format(printf, 1, 2))) char *format_text(const char *format, ...);
/* Compares two elements of an array of texts, for qsort. */
int texts_compare(const void *left, const void *right);

/* A text that is written piece by piece: *ret_text once the stream is closed with fclose(). The caller frees it. */
FILE *open_text(char **ret_text);

/* Appends one zeroed element to an array that begins as NULL with count 0 and returns the array, which may have moved;
 * the new element is the last one. An array is grown by these functions only and freed with free(). */
void *array_append(void *array, size_t *count, size_t element_bytes);
/* As array_append, for `more` elements at once. */
void *array_extend(void *array, size_t *count, size_t more, size_t element_bytes);

/* As array_extend, for an array behind a header of `header` bytes. */
void *array_grow(void *memory, size_t header, size_t *count, size_t more, size_t element_bytes);
/* Whether the next element fits in. */
bool array_has_room(size_t count);

/* -- arena.c -- Texts, arrays and trees that are not freed one by one: each lasts as long as the arena that was in use
 * when it was begun. Every thread begins with an arena that lasts for the whole run; a loop that runs for hours uses
 * another one for each round, or releases what each round has made.
 */

/* Zero-initialised is empty. */
struct arena {
    struct arena_block *last;
};

/* Directs what this thread makes to the arena; NULL: to its first one. Returns the arena used before. */
struct arena *arena_use(struct arena *arena);
/* Ends all that is in it. */
void arena_clear(struct arena *arena);
/* Moves all that is in it into the arena in use. */
void arena_join(struct arena *arena);

/* So that text can be nested: arena_text("%s in %s", describe_call(...), describe_site(...)). */
__attribute__((format(printf, 1, 2))) const char *arena_text(const char *format, ...);
const char *arena_copy(const char *text);
/* As arena_copy, for an allocated text, which it frees; NULL stays NULL. */
const char *arena_take(char *text);
/* A text that is written piece by piece, until arena_close() returns it. */
FILE *arena_open(void);
const char *arena_close(FILE *stream);

/* Zeroed. */
void *arena_allocate(size_t bytes);
/* As array_append and array_extend; such an array is grown by these two only, and not freed. */
void *arena_append(void *array, size_t *count, size_t element_bytes);
void *arena_extend(void *array, size_t *count, size_t more, size_t element_bytes);
/* Gives a large array back before its arena ends. NULL is fine. */
void arena_drop(void *array);
/* As tsearch() and tfind(), in a tree that begins as NULL and grows in one arena: the item of the tree that is equal to
 * this one, which is this one if there was none. */
void *arena_search(void *item, struct arena_node **tree, int (*compare)(const void *, const void *));
void *arena_find(const void *item, const struct arena_node *tree, int (*compare)(const void *, const void *));
/* Calls `visit` with each item, the least first. */
void arena_visit(const struct arena_node *tree, void (*visit)(const void *item, void *context), void *context);

/* Ends what was written into the arena in use since the mark: for what loops over all ranks of a large job,
 * or for hours. */
struct arena_mark {
    const struct arena_block *block;
    size_t used;
};
struct arena_mark arena_mark(void);
void arena_release(struct arena_mark mark);

/* -- blocked_read.c --
 * Reads of other processes that never end.
 *
 * Memory may be mapped from a file system that does not answer, or that the owner of the process runs (FUSE,
 * userfaultfd). A reader waits until the page comes, and only SIGKILL ends the wait. So a watching thread observes the
 * readers and may execute another program, which ends the waiting thread (execve(2)). A program that must continue as
 * it is lets other threads read for it and leaves a waiting one behind; if its read returns after all, that thread
 * ends.
 */

/* So long after it has answered late, a process is read again; after it was late again, twice as long. */
#define BLOCKED_READ_MARK_S 60.0

/* Watches the reads of this thread from now on. When one stands still for a second, `on_block` is called by another
 * thread, which has the signal mask of this one. It is five seconds where a thread that lacks a processor may hold the
 * lock that the read waits for. */
void blocked_read_watch(void (*on_block)(pid_t pid));

/* Calls the function in a thread of its own, which takes no signals, and waits for it. If a read in it blocks for a
 * second, notes the process, leaves the thread behind with all that it holds, and calls the function anew; the
 * function must allow that, and must not have stopped other processes. False: no thread can be made, or the blocking
 * process cannot be noted, and the function did not finish. Afterwards, nothing else is watched. The arena of its
 * thread joins the caller's. */
bool blocked_read_leave_out(void (*function)(void *context), void *context);

/* The number of threads left behind so far. Everything that they hold, including the state of libraries that they
 * called, stays as it was. */
unsigned blocked_read_count_left(void);

/* Ends watching for this thread: nobody waits for its reads. */
void blocked_read_watch_no_more(void);

/* Around whatever reads memory of the process. They may stand within others. */
void blocked_read_begin(pid_t pid);
void blocked_read_end(void);

/* For a read that shares nothing with others: in what is called by blocked_read_leave_out(), another thread makes it,
 * and only that one is left behind. False: it is, the process is noted, and the context is the other thread's, which
 * discards it when the read returns. */
bool blocked_read_apart(pid_t pid, void (*function)(void *context), void (*discard)(void *context), void *context);

/* Notes that a read of the process has stood still. False: it is noted twice already, or too many are. */
bool blocked_read_note(pid_t pid);
/* The number of processes noted so. */
size_t blocked_read_count_noted(void);
/* Puts what is noted into the environment, for the program that this one becomes. */
bool blocked_read_hand_on(void);
/* Forgets what is noted: it may answer now. */
void blocked_read_forget(void);
/* Whether that is noted: the memory of the process is best left alone. */
bool blocked_read_is_noted(pid_t pid);
/* Whether it is noted twice: then even the kernel's files about its memory are best left alone. Reading them waits for
 * any thread that changes the mappings, and that may be a process without processor time. */
bool blocked_read_is_silent(pid_t pid);

/* Exit status of the command. */

enum exit_status {
    EXIT_GOOD = 0,
    EXIT_FINDING = 1,     /* something is wrong in the job */
    EXIT_USAGE = 2,       /* the command line is wrong, or does not say which job */
    EXIT_UNREADABLE = 3,  /* nothing could be read, or a program cannot be tracked */
    EXIT_TIMED_OUT = 124, /* mpilens guard has ended the job, as timeout(1) */
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
};

/* -- core_files.c --
 * Core files that the kernel of this host writes when a process crashes.
 */

/* Raises the soft limit to the hard one, unless MPILENS_CORE is "none". */
void core_limit_raise(void);

/* A pattern for glob(3) of the names that the kernel makes of core_pattern for this process: the pid, and a star for
 * everything else that begins with a percent sign. `adds_pid`: core_uses_pid. The caller frees it. */
char *core_pattern_glob(const char *pattern, bool adds_pid, pid_t pid);

struct core_files {
    const char **paths;
    size_t count;
};

/* Files of this user, written since then, that may be the core of the process, which ran in `directory` (NULL: not
 * known). */
struct core_files core_files_find(const char *directory, pid_t pid, time_t since);

/* Whether systemd-coredump gets them. */
bool core_files_are_of_systemd(void);

/* Why there is none, and how to get one. `was_dumped`: as WCOREDUMP() says. The caller frees it. */
char *core_file_explain(const char *directory, bool was_dumped);

/* -- first_line.c --
 * The first line of a file.
 */

/* Without its end; "": there is none. */
void read_first_line(const char *path, char *ret_line, size_t bytes);

/* -- file_name.c --
 * Names of files.
 */

/* The last part of a path. */
const char *file_name(const char *path);

/* -- reason.c --
 * Why something could not be done: one sentence for the user, without a full stop, naming what to do where that helps.
 */

struct reason {
    char text[512];
    const char *list; /* lines below it, escaped, in the arena; NULL: none */
};

/* Writes the sentence, cut to fit, and returns -1, so that a function that fails can return the result. */
__attribute__((format(printf, 2, 3))) int reason_set(struct reason *ret_reason, const char *format, ...);

/* -- installation.c --
 * Where the parts of mpilens are, relative to this command: in the tree in which they were installed, wherever that was
 * moved to, or in the build tree.
 */

/* Absolute path of a library; `build_directory` is its directory in the build tree. NULL and a reason when it is in
 * neither. The caller frees it. */
char *installation_find(const char *library, const char *build_directory, struct reason *ret_reason);

/* -- interruption.c --
 * A limit for calls of libraries that open files: a system call that still waits after a second is interrupted, and
 * again and again from then on.
 */

struct interruption {
    struct sigaction action;
    struct itimerval timer;
    sigset_t mask;
};

/* Uses SIGALRM. One at a time. */
void interruption_begin(struct interruption *ret_interruption);
void interruption_end(const struct interruption *interruption);

/* -- process_maps.c -- The mappings of a process, line by line: it may have any number of mappings of names of any
 * length.
 */

/* A line of it, see proc(5). Valid during the call. */
struct mapping {
    uint64_t start;
    uint64_t end;
    const char *permissions; /* "r-xp" */
    unsigned device_major;
    unsigned device_minor;
    uint64_t inode;
    const char *name; /* a path, or a word such as "[heap]" */
};

/* Calls `visit` for each mapping that has a name, by address. 0, or E2BIG: the process has more than any that is to be
 * looked into, and the first ones were visited; or the error of open(2) or read(2): ESRCH, ENOENT: it is gone. A
 * process whose mappings are best left alone (blocked_read_is_silent()) has none. `proc` as in process_files.c. */
typedef void visit_mapping(void *context, const struct mapping *mapping);
int process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context);

/* -- kept_maps.c -- The mappings of processes a moment ago. A command needs the mappings of a rank when it finds it and
 * each time that it reads it, and most of the cost is the kernel's, for writing them. Any thread may call.
 */

/* For so long they are kept. */
#define KEPT_MAPS_S 2.0
/* Processes whose numbers differ by a multiple of this have the same places, of which there are some. */
#define KEPT_MAPS_PLACES 1024

/* As process_maps_visit() of "/proc", for processes that are likely to be looked at again: the mappings are read only
 * where they were not a moment ago, or the process has used other memory since. */
int kept_maps_visit(pid_t pid, visit_mapping *visit, void *context);
/* The number of processes whose maps are kept: none for longer than twice that time, once others are looked at. */
size_t kept_maps_count(void);
void kept_maps_forget(void);

/* -- kernel_threads.c --
 * The threads of the kernel, and programs that it starts itself: they have directories in /proc as other processes, a
 * large host has thousands of them, and they are in no job.
 */

/* By pid. Zero-initialised is empty. */
struct kernel_threads {
    pid_t *pids;
    size_t count;
};

/* None where they cannot be told from processes, or are not to be seen, as in containers; not all where some begin or
 * end meanwhile. `proc` as in process_files.c. */
struct kernel_threads kernel_threads_list(const char *proc);
bool kernel_threads_have(const struct kernel_threads *threads, pid_t pid);

/* -- linked_runtime.c --
 * Programs that the runtime is linked into (libmpilens-<mpi>.a) instead of being preloaded.
 */

/* Whether the ELF file has the section of the runtime's root, which stripping leaves in it. False also where it cannot
 * be read. */
bool has_linked_runtime(const char *path);

/* -- maps_ahead.c -- Reads mappings of processes ahead, in other threads, for a thread that visits one process after
 * the other (kept_maps_visit()). If spinning ranks keep the processors busy, each thread gets its share of the time.
 *
 * Nothing depends on these threads. A visitor of a process that is not read yet reads it itself; a thread that a
 * process keeps waiting is left to itself.
 */

/* From the last one to the first: the caller begins with the first. NULL: they are too few, or there is one processor.
 */
struct maps_ahead *maps_ahead_begin(const pid_t *pids, size_t count);
/* Starts no further reads; waits for nothing. */
void maps_ahead_end(struct maps_ahead *ahead);

/* -- monotonic_clock.c --
 * The clock by which the command measures how long something takes.
 */

/* CLOCK_MONOTONIC in seconds. */
double monotonic_s(void);

/* -- pointer_numbers.c --
 * Numbers objects that many records refer to by pointer.
 */

/* Zero-initialised is empty. */
struct pointer_numbers {
    struct pointer_number {
        const void *pointer;
        int64_t number;
    } * entries;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

/* Where the number of the pointer (not NULL) stands: 0 until the caller has set it. Valid until the next call. */
int64_t *pointer_numbers_find(struct pointer_numbers *numbers, const void *pointer);
void pointer_numbers_clear(struct pointer_numbers *numbers);

/* -- process_files.c --
 * Files of /proc about a process. `proc` is the directory, "/proc" but in tests.
 */

struct process_status {
    pid_t pid;
    pid_t parent;
    pid_t tracer; /* 0: none */
    uid_t user;
    char state;     /* as in ps: R, S, D, T, t, Z, ... */
    bool is_ending; /* it has ended, or SIGKILL is about to end it */
    char name[64];
};
/* False: there is no such process. */
bool read_process_status(const char *proc, pid_t pid, struct process_status *ret_status);
/* Whether it is gone, or has ended and its parent has not yet waited for it: then its files say nothing more. */
bool process_has_ended(const char *proc, pid_t pid);
/* Whether it has ended, or is on its way out by SIGKILL or exit(): its memory may be gone. */
bool process_is_ending(const char *proc, pid_t pid);
/* Whether the process that was started then, as of process_start(), is there and not on its way out. */
bool process_is_alive(const char *proc, pid_t pid, unsigned long long start);

/* The first 8 MB of a file of /proc/PID, NUL-terminated behind *ret_bytes; the caller frees it. NULL and errno: it
 * cannot be read. */
char *read_process_file(const char *proc, pid_t pid, const char *file, size_t *ret_bytes);

/* How long the process has been there, in seconds; -1: not known. */
double process_age_s(pid_t pid);
/* The value of a variable in what read_process_file says of "environ"; NULL: it has none. */
const char *find_variable(const char *environment, size_t bytes, const char *name);
/* The word after the option in what it says of "cmdline"; NULL: there is none, or it is empty. */
const char *find_argument(const char *arguments, size_t bytes, const char *option);
/* Where a symbolic link of /proc/PID points; the caller frees it. NULL: it cannot be read. */
char *read_process_link(const char *proc, pid_t pid, const char *file);

/* Whether the process `pid` of this namespace has the number `inner` there or in a namespace within. True if that
 * cannot be found out. */
bool process_has_pid(pid_t pid, pid_t inner);

/* Advice to a user who must not read a process. */
const char *read_permission_advice(void);

/* -- process_stat.c --
 * /proc/PID/stat. `proc` as in process_files.c.
 */

struct process_stat {
    char state;     /* as in ps */
    unsigned flags; /* PF_* of Linux */
    /* Counters that change when a process maps memory and uses it, and not when its memory is read. */
    unsigned long long page_faults; /* data in new memory needs page faults */
    unsigned long long bytes;       /* that it has mapped */
    unsigned long long code;        /* where its program is loaded; 0, 1: that must not be known */
    unsigned long long start;       /* ticks since the host was booted: tells it from others with its number */
    int wait_status;                /* as process_wait_status() */
};

/* False: there is no such process. */
bool process_stat_read(const char *proc, pid_t pid, struct process_stat *ret_stat);
/* When it was started, in ticks since the host was booted; 0: not known, or there is no such process. */
unsigned long long process_start(const char *proc, pid_t pid);
/* The same in seconds; -1: not known. */
double process_start_s(const char *proc, pid_t pid);
/* How a process has ended whose parent has not waited for it, as of waitpid(2); -1: it has not, or that must not be
 * known. */
int process_wait_status(const char *proc, pid_t pid);

/* -- process_table.c --
 * All processes of the host as they were at one time, and who has started whom.
 */

/* Zero-initialised is empty. */
struct process_table {
    struct process_status *items; /* by pid */
    size_t count;
};

/* Without threads of the kernel, as far as they can be told. `proc` as in process_files.c. */
struct process_table process_table_read(const char *proc);
/* Only the process and those above it. */
struct process_table process_table_read_above(const char *proc, pid_t pid);
/* NULL: there was no such process. */
const struct process_status *process_table_find(const struct process_table *table, pid_t pid);
/* Whether `ancestor` stands somewhere above the process. */
bool process_table_has_ancestor(const struct process_table *table, pid_t ancestor, pid_t pid);

/* -- cut_short.c -- ^C in a long reading: the first one ends the reading, the second one the command.
 */

/* From now on; not where SIGINT is ignored or handled. */
void cut_short_begin(void);
void cut_short_end(void);
/* Whether the next ^C ends the reading. */
bool cut_short_is_possible(void);
/* Whether it has come. */
bool cut_short_is_asked(void);
/* The same; from then on, readings are whole again, and the next one ends the command. */
bool cut_short_take(void);

/* -- progress_note.c --
 * How far a long reading is, for people who wait for it.
 */

/* Gets a few words, often; it decides whether they are shown. */
typedef void (*progress_listener)(const char *text);
void progress_listen(progress_listener listener); /* NULL: nobody listens */
__attribute__((format(printf, 1, 2))) void progress_note(const char *format, ...);

/* -- rank_set.c --
 * Sets of ranks as people write them: "0,4-7", "0-30:2" (every second one).
 */

/* Zero-initialised is empty. */
struct rank_set {
    struct rank_range {
        int first, last, stride;
    } * ranges;
    size_t count;
};

/* Adds what `text` says. Returns 0, or -1 when it is not a list of ranks. */
int rank_set_parse(struct rank_set *set, const char *text);
/* Whether the rank is to be shown: it is in the set, or the set is empty, as nobody has chosen. */
bool rank_is_chosen(const struct rank_set *chosen, int rank);
/* The ranks of an ascending set that are to be shown. The caller clears it. */
struct rank_set rank_set_keep_chosen(const struct rank_set *set, const struct rank_set *chosen);
/* Adds a rank above all that are in it. */
void rank_set_append(struct rank_set *set, int rank);
size_t rank_set_size(const struct rank_set *set);
void rank_set_clear(struct rank_set *set);

/* More ranges than a person reads. */
enum { MOST_SHOWN_RANGES = 12 };
/* As ranks_text() writes it; of a set that is not empty and was made with rank_set_append. */
const char *format_rank_set(const struct rank_set *set);

/* -- ranks.c --
 * Some ranks, one by one: those that a finding concerns, that are in a call, that wait for another. (Ranks as a person
 * chooses them, in ranges, are a struct rank_set.)
 */

/* Zero-initialised is none. */
struct ranks {
    int *items; /* as they were added, perhaps repeated; from ranks_finish on ascending, each once */
    size_t count;
};

/* Numbers below 0 are left out. */
void ranks_add(struct ranks *ranks, int rank);
void ranks_add_all(struct ranks *ranks, const struct ranks *others);
/* Sorts them and leaves out repetitions. May be called again when more were added. */
void ranks_finish(struct ranks *ranks);
/* Those below are for finished ranks. */
bool ranks_has(const struct ranks *ranks, int rank);
/* The lowest; -1: there is none. */
int ranks_first(const struct ranks *ranks);
/* "3", or "[0-3,7]", "[0-30:2]" when there are several; of many ranges the first ones, and how many ranks there are
 * beyond: "[1,5,8,+70 more]"; "?" when there is none. */
const char *ranks_text(const struct ranks *ranks);
/* "0-3,7": all of them, however many ranges, as rank_set_parse() reads them. */
const char *ranks_list(const struct ranks *ranks);
/* "rank 3", "ranks [0-3,7]". */
const char *ranks_name(const struct ranks *ranks);

/* -- rank_texts.c -- Groups ranks by a text key. To group other data, make a text of everything that must be equal
 * (rank_texts_add_parts) and keep the data in an array: the number of the text is its place there, and the text is
 * new if its number is the count of the array. Evidence is grouped by its text and site, leaks by kind, function and
 * place.
 *
 * Adding takes O(log n) comparisons, whatever the input.
 */

/* A text and its ranks. */
struct rank_text {
    const char *text;
    struct ranks ranks; /* as they were added, none twice in a row; without those that are not known */
    size_t number;      /* its place among the items */
};

/* Zero-initialised is empty. */
struct rank_texts {
    bool apart;               /* equal texts are not made one */
    struct rank_text **items; /* in the order in which they were first added */
    size_t count;
    struct arena_node *tree; /* of the items; empty if they stay apart */
};

/* The text's number; count: it was not added, or all stay apart. */
size_t rank_texts_find(const struct rank_texts *texts, const char *text);
/* Adds the text if it is new, without ranks. Returns its number. */
size_t rank_texts_add(struct rank_texts *texts, const char *text);
/* Adds a rank to the text. */
size_t rank_texts_add_rank(struct rank_texts *texts, const char *text, int rank);
/* As rank_texts_add, for a text that differs wherever one of the parts differs; a part may be NULL. */
size_t rank_texts_add_parts(struct rank_texts *texts, const char *const *parts, size_t count);

/* -- regular_file.c --
 * Opening what somebody else has named: whoever did may have put anything there, and opening a FIFO or a device could
 * block, or do something.
 */

/* For reading. -1: it cannot be opened, as errno says, or is no regular file (errno 0). */
int regular_file_open(const char *path);

/* Whether opening it neither blocks nor does anything: it is a regular file, or cannot be opened. */
bool is_harmless_to_open(const char *path);

/* -- signal_name.c --
 * Signals in words.
 */

/* "SIGSEGV (Segmentation fault)", "signal 40". The caller frees it. */
char *describe_signal(int number);

/* -- vanished_pages.c --
 * Files that are mapped while their owner makes them shorter.
 *
 * Libraries map the ELF files of a process that is read. A user who may write such a file may truncate it meanwhile;
 * the kernel then sends SIGBUS to a thread that touches a page behind the new end.
 */

/* From now on such pages of this process read as zeros. Takes SIGBUS over; one that has another cause ends the process
 * as before. */
void vanished_pages_read_as_zeros(void);

#endif
