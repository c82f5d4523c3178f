/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of stack/ only.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_INTERNAL_H
#define MPILENS_INSPECT_STACK_STACK_INTERNAL_H

#include "model/model.h"
#include "python/python.h"
#include "stack/stack.h"
#include "stack/stack_access.h"
#include "target/target.h"

#include <stdint.h>

/* -- stack.c --
 */

/* Takes those that libdwfl knows of its frame. */
void stack_take_registers(Dwfl_Frame *frame, struct frame_registers *registers);

/* -- frame_hold.c -- A frame of a process that runs again since its stacks were read: its memory is only of use while
 * the frame is as it was then.
 */

struct frame_hold {
    struct target *target;
    pid_t thread;
    const struct stack_frame *frame; /* that waits for a call */
    bool is_tried, is_same;
    struct stack_access access;
};

/* Holds the process, unless that was tried before. False: the call has returned, or the process cannot be held. A core
 * is always as it was. Every hold must be ended. */
bool frame_hold_begin(struct frame_hold *hold);
void frame_hold_end(struct frame_hold *hold);

/* -- call_arguments.c -- Arguments of a call, as far as the debug information of its caller has them: DWARF call sites,
 * with constants or registers that called functions restore.
 */

/* Arguments of a function with integers and pointers only. */
enum { MOST_ARGUMENTS = 16 };

struct call_arguments {
    uint64_t values[MOST_ARGUMENTS]; /* narrower ones: whatever is above is undefined */
    bool is_known[MOST_ARGUMENTS];
};

/* The arguments of the call that the frame `hold->frame` of the stack makes; the hold begins when memory must be read.
 * Nothing is known on other machines than x86-64. */
struct call_arguments find_call_arguments(const struct thread_stack *stack, struct frame_hold *hold);

/* -- frame_arguments.c -- Arguments of a call in code that was not optimized: its instructions, followed from the start
 * of the function, and the variables in the frame that they load.
 */

/* The arguments of the call that returns to `return_address`, in a function that begins at `entry` and has this frame.
 * Memory is read: a value is what is there now. Nothing is known of functions without a frame pointer, and on other
 * machines than x86-64. */
struct call_arguments find_frame_arguments(struct target *target, const struct stack_frame *caller, uint64_t entry);

/* -- x86_code.c -- Instructions of x86-64.
 */

struct x86_instruction {
    unsigned opcode; /* 0x0f 0xaf is 0x1af, 0x0f 0x38 ... is 0x2.., 0x0f 0x3a ... is 0x3.. */
    size_t length;
    bool is_wide;  /* 64 bits */
    bool is_short; /* 16 bits */
    bool is_odd;   /* repeated, locked, of another segment, of a vector unit */
    bool has_rex;  /* without it, registers 4 to 7 of 8 bits are the second bytes of registers 0 to 3 */
    unsigned low;  /* the register in the opcode, where it has one */
    /* The operands, where it has any. */
    unsigned reg, rm;            /* rm: of no meaning where is_memory */
    bool is_memory, is_relative; /* relative: to the end of the instruction */
    int base, index;             /* -1: none */
    unsigned scale;
    int64_t displacement;
    int64_t immediate; /* sign-extended */
};

/* False: no instruction that is known, or not all of it. */
bool x86_decode(const unsigned char *code, size_t bytes, struct x86_instruction *ret_instruction);

/* -- code_value.c -- Values in code that is followed: known or not, and which memory they were loaded from.
 */

enum { MOST_SOURCES = 3 };

struct code_source {
    uint64_t address;
    unsigned bytes;
};

struct code_value {
    bool is_known;
    bool has_many_sources;
    unsigned char source_count;
    unsigned origin; /* of an unknown value: equal ones are the same value; 0: of none else */
    uint64_t bits;
    struct code_source sources[MOST_SOURCES]; /* the memory that it was loaded from */
};

struct code_value code_value_known(uint64_t bits);
struct code_value code_value_unknown(void);
/* The value, which also depends on what the other one was loaded from. */
struct code_value code_value_depending(struct code_value value, const struct code_value *other);
void code_value_add_source(struct code_value *value, struct code_source source);
/* Unknown from now on, if it was loaded from memory that is stored to; `address` unknown: anywhere. */
void code_value_lose(struct code_value *value, const struct code_value *address, unsigned bytes);
/* Those that are not the same in both are unknown from now on. */
void code_values_join(struct code_value *values, const struct code_value *others, size_t count);

struct code_value code_value_sum(struct code_value left, const struct code_value *right);
struct code_value code_value_product(struct code_value left, const struct code_value *right, unsigned bytes);
/* By the number that x86-64 gives the operation: add 0, or 1, adc 2, sbb 3, and 4, sub 5, xor 6. */
struct code_value code_value_calculate(unsigned operation, struct code_value left, const struct code_value *right,
                                       unsigned bytes);
/* As x86-64 numbers shifts: left 4, right 5, right with the sign 7. */
struct code_value code_value_shifted(struct code_value value, unsigned operation, unsigned count, unsigned bytes);
struct code_value code_value_extended(struct code_value value); /* from 32 bits with the sign */
struct code_value code_value_cut(struct code_value value, unsigned bytes);

/* -- mpi_call.c --
 * The MPI call that a thread is in, by its stack alone: for ranks whose runtime has no tables (yet), and for what
 * tables do not say.
 */

struct mpi_call {
    const char *function;             /* in C, without the P of the profiling interface: "MPI_Recv" */
    const struct mpi_function *facts; /* NULL: the table does not have it */
    bool is_of_c;                     /* it was called in C, not through a binding */
    bool is_of_fortran;               /* through a binding of Fortran: arguments are addresses */
    const struct stack_frame *frame;  /* of the function */
    const struct stack_frame *caller; /* its caller outside MPI: by its line, or its line of Python; NULL: not known */
};

/* The outermost function of MPI on the stack, as the program called it: in C, through a Fortran binding or from
 * Python. MPI's own calls do not matter. False: the stack has none. `target`: the stack's target, to examine the call
 * instruction in case the library has left that function by a jump; NULL: only names on the stack count. Texts last as
 * long as its sites and the target. */
bool stack_find_mpi_call(const struct thread_stack *stack, struct target *target, struct mpi_call *ret_call);

/* -- argument_text.c --
 * Arguments of MPI calls in words.
 */

/* "count 16, datatype 0x4c00080b, peer ?, tag 8, communicator 0x44000000", those that say whom and what it is about;
 * NULL: none of them is known. The caller frees it. */
char *describe_arguments(struct target *target, const struct thread_stack *stack, const struct mpi_call *call);

/* -- caller_memory.c -- The stack and registers of an MPI function's callers: they stay equal while the call does not
 * return. A loop that is seen twice in the same call has its counter or a result there.
 */

/* Reads it from the process, which may run, and sets caller_stack and caller_registers of the thread. They stay 0 where
 * frames have no stack pointers. */
void caller_memory_read(struct target *target, const struct thread_stack *stack, const struct mpi_call *call,
                        struct seen_thread *thread);
/* Whether the call has returned in between. Unknown values count as equal. */
bool caller_memory_differs(const struct seen_thread *before, const struct seen_thread *later);

/* -- job_stacks.c --
 * Reading the stacks of the processes of a job.
 */

/* Reads the stacks of the processes that `is_wanted` selects, and hands them to `take`, while that runs. Living
 * processes are held still while they are unwound, many at a time. Unreadable ones are left out. */
void job_read_stacks(struct job *job, bool (*is_wanted)(const struct process *process),
                     void (*take)(struct job *job, struct process *process, const struct stacks *stacks));

/* -- stack_callee.c -- The function that a call enters, by its instruction: if a library has left it by a jump, it is
 * on no stack.
 */

/* The symbol of the function that the call before this return address enters, directly or through a table of the
 * linker. NULL: not known, as of calls through a pointer and on other machines than x86-64 and arm64. Valid until the
 * target is closed. */
const char *stack_find_callee(struct target *target, uint64_t return_address);

/* The address of that function; 0: not known. `machine`: as in ELF, whose code it is. */
uint64_t stack_decode_call(struct target *target, int machine, uint64_t return_address);

/* -- stack_exception.c --
 * Exceptions of C++ that leave the functions of a thread, and ends of programs from deep inside, by its stack.
 */

/* The exception, if one of the addresses belongs to an exception object: "std::runtime_error: no cell", as much of it
 * as can be read. Skips addresses that are 0. NULL: there is none. The caller frees it. */
char *describe_thrown(struct target *target, const uint64_t *addresses, size_t count);

/* "in exit(), which check (input.c:20) has called", "after main has returned", "in std::terminate", of a stack whose
 * start was left out. NULL: it is in none of these. The caller frees it. */
char *describe_stack_end(const struct thread_stack *stack, bool *ret_is_terminated);

/* -- stack_python.c --
 * Lines of Python in the stacks of threads.
 */

/* Replaces the interpreter's frames by the Python functions that they run. Leaves stacks without any. */
void stack_take_python(struct thread_stack *stack, const struct python_stacks *stacks, struct site_cache *sites);

/* -- stack_start.c --
 * Frames that start a program.
 */

/* Leaves out the outer frames that no user has written: those below main, and the main that compilers of Fortran make.
 * A stack that reaches main is then not cut. */
void stack_leave_out_start(struct thread_stack *stack);

/* -- stack_waiting.c --
 * Whether a thread waits for another one of its process.
 */

/* Whether the thread can only go on when another thread of its process acts (but for signals): it waits, without a time
 * limit, for a thread's end, a mutex, a condition variable, a semaphore or a barrier, or for the lock of Python's
 * interpreter. The system call tells where it is
 * known; else the names of the innermost frames. False where neither does. */
bool stack_is_waiting_for_threads(const struct thread_stack *stack);

/* The thread that has locked the mutex that this one waits for, or whose end it waits for; itself, if it has locked the
 * mutex before. By the memory of the futex, as glibc and the kernel use it (futex(2), "Priority-inheritance futexes").
 * NULL: it waits for nothing like that, or that is not known. */
const struct thread_stack *stack_find_awaited(struct target *target, const struct stacks *stacks,
                                              const struct thread_stack *thread);

/* -- system_call_wait.c -- The object of a wait in a system call: a file, a child, another end.
 */

/* "waiting to open input.fifo", "waiting to read standard input (a pipe)", "waiting for a lock of /scratch/run.lock";
 * NULL: the call tells nothing of that, or the target is no living process of this host. The caller frees it. */
char *describe_system_call_wait(struct target *target, const struct system_call *system_call);
/* The process that holds the lock of a file that it waits for; 0: it waits for none, or that is not known. */
pid_t system_call_lock_holder(const struct target *target, const struct system_call *system_call);

/* -- predefined_handles.c --
 * The predefined handles of MPIs by their values.
 */

/* "MPI_DOUBLE" of an integer of MPICH's ABI; NULL: it is none. */
const char *predefined_handle_of_integer(uint64_t value);
/* The name of a handle that Fortran passes, by the role of the argument in the table of functions; NULL: it is none.
 * Other MPIs than Open MPI pass the integers of C. */
const char *predefined_handle_of_fortran(const char *role, size_t length, uint64_t value, bool is_of_open_mpi);
/* "MPI_DOUBLE" of Open MPI's ompi_mpi_double. The caller frees it; NULL: it is no such object. */
char *predefined_handle_of_symbol(const char *symbol);

#endif
