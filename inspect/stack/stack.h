/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stacks of threads; the activity of processes outside MPI, and without the runtime.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_H
#define MPILENS_INSPECT_STACK_STACK_H

#include "base/base.h"
#include "model/model.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct stacks_reading;

/* Registers of this machine, by their numbers in DWARF, as its ABI uses them. */

/* REGISTER_LIST_KEPT: registers that a called function restores before it returns. REGISTER_LIST_ARGUMENTS: registers
 * of the first integer arguments of a call. */
#if defined(__x86_64__)
#define REGISTERS_ARE_KNOWN     1
#define REGISTER_LIST_KEPT      3, 6, 12, 13, 14, 15
#define REGISTER_LIST_ARGUMENTS 5, 4, 1, 2, 8, 9
enum { STACK_POINTER = 7, KEPT_REGISTERS = 6, REGISTER_ARGUMENTS = 6 };
#elif defined(__aarch64__)
#define REGISTERS_ARE_KNOWN     1
#define REGISTER_LIST_KEPT      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#define REGISTER_LIST_ARGUMENTS 0, 1, 2, 3, 4, 5, 6, 7
enum { STACK_POINTER = 31, KEPT_REGISTERS = 11, REGISTER_ARGUMENTS = 8 };
#else
#define REGISTERS_ARE_KNOWN     0
#define REGISTER_LIST_KEPT      0
#define REGISTER_LIST_ARGUMENTS 0
enum { STACK_POINTER = 0, KEPT_REGISTERS = 1, REGISTER_ARGUMENTS = 1 };
#endif

static inline unsigned kept_register(unsigned index)
{
    static const unsigned numbers[KEPT_REGISTERS] = {REGISTER_LIST_KEPT};
    return numbers[index];
}

/* -- stack_system_call.c --
 * The system call that a thread is in.
 */

struct system_call {
    bool is_known;
    int64_t number; /* of this machine; -1: in none */
    uint64_t arguments[6];
    bool is_unshared; /* a wait for a futex in memory that no other process has; false: not known */
};

/* The system call of a thread of a living process (`proc` is "/proc" but in tests), or in a core file. Not known:
 * running, not to be read, or of another machine. */
struct system_call system_call_of_thread(const char *proc, struct target *target, pid_t thread);
struct system_call system_call_in_core(struct target *target, pid_t thread);

/* Whether it is a wait for a futex without a time limit, and whether only threads of the process can end that. */
bool is_endless_futex_wait(const struct system_call *system_call);
bool is_private_futex(const struct system_call *system_call);

/* -- stack.c --
 * The stacks of all threads of a process, alive or in a core file, and what they tell.
 */

/* Frames of one thread; outer frames of a longer stack are left out. */
enum { MOST_STACK_FRAMES = 256 };
/* Frames of all threads of a process, and the processor time to unwind them. Threads beyond have no frames. */
enum { MOST_PROCESS_FRAMES = 1 << 16, MOST_UNWINDING_MS = 2000 };

/* Registers as they were in a frame. */
struct frame_registers {
    uint64_t stack_pointer; /* 0: not known */
    uint64_t kept[KEPT_REGISTERS];
    uint32_t known; /* a bit for each of them */
};

struct stack_frame {
    uint64_t address;        /* where it stands or, of a caller, where it goes on */
    const struct site *site; /* of the site cache; NULL: in no module */
    bool is_inlined;         /* into the frame after it, which has the same address */
    bool is_python;          /* a function of Python, which the interpreter runs at that address */
    struct frame_registers registers;
};

struct thread_stack {
    pid_t tid;
    char state;                     /* before it was read, as in ps: R, S, D, T, ...; 0: not known, as of cores */
    struct system_call system_call; /* that it is in */
    char kernel_function[48];       /* that it sleeps in; "": not known */
    struct stack_frame *frames;     /* innermost first */
    size_t frame_count;             /* 0: not known */
    uint64_t start_pointer;         /* stack pointer where the outermost frame was called; 0: not known */
    bool is_cut;                    /* outer frames are missing: too many, or impossible to unwind */
    bool is_left_out;               /* it was not unwound: the frames of the others are too many */
};

/* Zero-initialised is empty. */
struct stacks {
    struct arena arena; /* has the rest, and is to be cleared */
    pid_t pid;
    struct thread_stack *threads; /* the main thread first, then by tid */
    size_t thread_count;
    const char *reason; /* why there are no frames; NULL: there are */
    const char *end;    /* how its program ends or has ended, in words as of struct process; NULL: that is not known */
    bool has_failed;    /* it ends of an exception of Python that nothing has caught */
};

/* Reads the stacks of all threads. A living process is held still while they are unwound, no longer, and what was
 * stopped before stays stopped. Where that is not allowed, or somebody else debugs it, threads have what /proc tells
 * and `reason` says why that is all. Sites are of `sites`: valid until that is cleared. 0, or -1 and a reason: the
 * process is gone, or the core has no stacks, as snapshots have none. */
int stacks_read(struct target *target, struct site_cache *sites, struct stacks *ret_stacks, struct reason *ret_reason);
/* As stacks_read, in steps, for several processes: begin all, unwind each, release each, finish each. They stop at the
 * same time, so the wait is for the slowest only; while none runs, the reader has the processors. Every begun reading
 * must be released and finished. */
int stacks_begin(struct target *target, struct stacks_reading **ret_reading, struct reason *ret_reason);
void stacks_unwind(struct stacks_reading *reading);
void stacks_release(struct stacks_reading *reading); /* from then on it runs */
int stacks_finish(struct stacks_reading *reading, struct site_cache *sites, struct stacks *ret_stacks,
                  struct reason *ret_reason);

/* -- call_stack.c -- Call stacks for people, from unwound frames: the inside of MPI and of the system is one line.
 */

/* Fills process->call_stacks. */
void process_take_call_stacks(struct job *job, struct process *process, const struct stacks *stacks);

/* Whether the stack has a line of the program; helpers of libraries have none. */
bool call_stack_is_of_program(const struct call_stack *stack);

/* "cg (wrap.c:11)", "cg (libsolver.so)", "? (app+0x1139)", "MPI_Allreduce (MPI library)", "nanosleep (libc.so.6)", "?".
 * The caller frees it. */
char *describe_stack_line(const struct stack_line *line);

/* -- mpi_function.c --
 * MPI functions by the symbols that stacks show, for processes whose runtime does not say what they call.
 */

struct mpi_function {
    const char *name;         /* in C: "MPI_Recv" */
    uint32_t call_class;      /* enum mpilens_call_class */
    int32_t collective_class; /* enum mpilens_collective_class; -1: not a collective call */
    uint32_t operation;       /* MPILENS_OPERATION_* that it starts; 0: none */
    uint32_t purpose;         /* enum mpilens_purpose */
    const char *roles; /* one word for each parameter, as runtime/api/functions.tsv has them: "buffer count ..." */
};

/* Generated by generate_mpi_functions.py, by name, whatever its case. */
extern const struct mpi_function mpi_functions[];
extern const size_t mpi_function_count;

/* The function of the table that the symbol is an entry of: "MPI_Recv", "PMPI_Recv", or a Fortran name, as
 * "mpi_recv_", "PMPI_RECV", "mpi_recv_f08_". NULL: none. */
const struct mpi_function *mpi_function_of_symbol(const char *symbol);
/* The function of MPI that is on its way if one that libraries have for nothing else is on the stack:
 * "ompi_mpi_finalize", to which MPI_Finalize jumps. NULL: that is not known of the symbol. */
const struct mpi_function *mpi_function_of_helper(const char *symbol);
/* By its name in C. NULL: the table does not have it. */
const struct mpi_function *mpi_function_called(const char *name);
/* Whether the symbol is written as names of MPI are in C, in the table or not: "PMPI_Wtime". */
bool mpi_symbol_is_of_c(const char *symbol);

/* -- mpi_presence.c --
 * Whether a process has MPI in it.
 */

/* Whether a library or the program itself has the functions that initialize MPI. */
bool target_has_mpi(struct target *target);

/* -- process_activity.c --
 * Whether processes compute, sleep or are stopped.
 */

/* The visible activity of a process at one moment. */
struct process_reading {
    double at_s;       /* CLOCK_MONOTONIC */
    double cpu_time_s; /* of all its threads since it began */
    char state;        /* as in ps: R if any thread runs, else the process's state */
};

/* CPU time of all threads of a process on this host since it began, those that have ended included, in seconds. Needs
 * no permission. 0, or -1: it has ended. */
int process_cpu_time(pid_t pid, double *ret_cpu_time_s);
/* 0, or -1 and a reason: it has ended. */
int process_reading_take(pid_t pid, struct process_reading *ret_reading, struct reason *ret_reason);

/* By what was seen last and the CPU time in between, of which more than a hundredth is computing; NULL: nothing was
 * seen before. */
enum process_activity process_activity_between(const struct process_reading *first,
                                               const struct process_reading *second);
/* Whether a process had the chance to go on in between: it sleeps or has ended, or has had CPU time, a millisecond at
 * least. Others kept the processors busy if it had none. */
bool process_has_run(const struct process_reading *first, const struct process_reading *second);
/* The same until now; of a process that runs all the time it is one system call to see. */
bool process_has_run_since(pid_t pid, const struct process_reading *first);
/* By a state as in ps; 0: not known. */
enum process_activity process_activity_of_state(char state);
/* "computing", "sleeping"; "" of ACTIVITY_UNKNOWN. */
const char *describe_activity(enum process_activity activity);

/* -- places.c --
 * Places and activities of threads outside MPI: whether they compute, sleep or are stopped, where, and which of their
 * threads wait for each other.
 */

/* Notes the CPU time that the live processes have used so far. */
void job_note_activity(struct job *job);

/* CPU times of the live processes at one moment, in the order of job->processes; at_s is negative for the others. The
 * caller frees them. */
struct process_reading *job_begin_turn(const struct job *job);

/* Whether each live process has had the chance to go on since `begin`. */
bool job_has_had_turn(const struct job *job, const struct process_reading *begin);

/* Makes at_s of the processes negative that have had it. */
void job_end_turn(const struct job *job, struct process_reading *begin);

/* Fills activity, place, stack, thread_places, unseen_threads and thread.waits_for_threads of the processes with a
 * thread that is not in MPI, and seen_threads of those that lack tables; with `all_stacks` also call_stacks of all
 * processes, those that could not be read included. Living ones are held still for a moment. `before`: an earlier
 * sample with noted activity, NULL: there is none. */
void job_find_places(struct job *job, const struct job *before, bool all_stacks);

/* -- seen_threads.c -- Facts from the stacks of processes that lack the tables of a runtime.
 */

/* Fills process->end, if its program is ending. */
void process_take_end(struct job *job, struct process *process, const struct stacks *stacks);

/* Fills process->seen_threads and its end; if the stacks could not be read, adds that to process->reason. */
void process_take_seen_threads(struct job *job, struct process *process, const struct stacks *stacks);

/* Names calls in process->call_stacks that are on no stack themselves, as seen_threads have them. */
void process_name_seen_calls(struct process *process);

/* Where one calls MPI past its runtime, others may have done so before: says so of those that have not called it. So
 * does everybody where nobody has looked at stacks. */
void job_doubt_silence(struct job *job, bool stacks_were_read);

/* Reads the stacks of the processes that lack tables for that, which are held still for a moment. */
void job_find_seen_threads(struct job *job);

/* Marks the threads of the process that were seen doing the same in `before`, an earlier sample of it. */
void process_compare_seen_threads(const struct process *before, struct process *later);

/* -- stack_place.c --
 * Where a thread is, by its stack.
 */

/* Where the thread is for its user: the innermost frame of the program, or of a library whose lines are known. NULL:
 * there is none. */
const struct stack_frame *stack_find_place(const struct thread_stack *stack);

/* Its innermost frame of the application, of whatever module. NULL: there is none. */
const struct stack_frame *stack_find_innermost(const struct thread_stack *stack);
/* The function of the system that this frame has called: "flock". NULL: it has not, or not known. The caller frees it.
 */
char *stack_find_called(const struct thread_stack *stack);

/* "compute (solve.c:41)", "compute (libsolver.so)"; NULL: not known. The caller frees it. */
char *describe_place(const struct thread_stack *stack);
/* "pthread_join < solve (solve.c:41) < main (main.c:120)": the function of the system that the program has called, if
 * any, and the program's frames from there; long ones shortened in the middle. NULL: not known. The caller frees it. */
char *describe_stack(const struct thread_stack *stack);

/* -- stack_tree.c -- The call stacks of many ranks as one tree: their common part, from the outermost function on, is
 * there once.
 */

struct stack_node {
    const char *text;             /* as describe_stack_line; "..." where outer lines are missing */
    struct stack_node *parent;    /* its caller; for outermost functions the root of the tree */
    struct stack_node **children; /* in the order in which they were added */
    size_t child_count;
    struct ranks ranks; /* finished; without those that are not known */
    size_t process_count;
    size_t thread_count;
    const struct process *last; /* that was counted */
};

/* Zero-initialised is empty. */
struct stack_tree {
    struct stack_node root;   /* stands for all stacks; it has no text */
    struct arena_node *nodes; /* all others */
    size_t helpers;           /* stacks without a line of the program, which were left out */
};

/* Adds a stack; stacks of a process come together, processes by rank. Unless `all`, stacks without a line of the
 * program are only counted, except main threads'. */
void stack_tree_add(struct stack_tree *tree, const struct process *process, const struct call_stack *stack, bool all);
/* All stacks of the chosen ranks. */
struct stack_tree stack_tree_make(const struct job *job, const struct rank_set *ranks, bool all);
/* "3 ranks [0,1,3]", "rank 2, 4 threads". */
const char *describe_stack_ranks(const struct stack_node *node);

#endif
