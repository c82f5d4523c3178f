/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads stacks: the threads from /proc, then their frames while they stand still, then the functions of the frames.
 */

#include "base/base.h"
#include "debug/debug.h"
#include "python/python.h"
#include "stack/stack_access.h"
#include "stack/stack_internal.h"
#include "target/target_kinds.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A thread, and its frames as they were unwound. */
struct walked_thread {
    struct thread_stack stack;
    struct walked_frame {
        uint64_t address;
        struct frame_registers registers;
        bool is_activation; /* the code at the address has run, or was about to; else that before it was a call */
    } * frames;
    size_t frame_count;
    struct stacks_reading *reading;
};

struct stacks_reading {
    struct arena arena; /* of threads and frames; of the stacks, where it has come to these */
    struct target *target;
    struct walked_thread **threads; /* by themselves: they stay where they are */
    size_t thread_count;
    size_t found; /* where the last thread was found that was looked for: the kernel lists them in the same order */
    struct python_stacks python; /* empty: it has none */
    struct freeze freeze;        /* of a living process */
    struct reason reason;        /* why it was not walked */
    bool is_walked;
    size_t frame_count; /* of all threads */
    long long begun_ms; /* processor time of this thread when unwinding began */
};

static struct walked_thread *find_thread(struct stacks_reading *reading, pid_t tid)
{
    for (size_t i = 0; i < reading->thread_count; i++) {
        const size_t at = (reading->found + i) % reading->thread_count;
        if (reading->threads[at]->stack.tid == tid) {
            reading->found = at;
            return reading->threads[at];
        }
    }
    return NULL;
}

static struct walked_thread *add_thread(struct stacks_reading *reading, pid_t tid)
{
    struct walked_thread *thread = arena_allocate(sizeof *thread);
    thread->stack.tid = tid;
    thread->reading = reading;
    reading->threads = arena_append(reading->threads, &reading->thread_count, sizeof(struct walked_thread *));
    reading->threads[reading->thread_count - 1] = thread;
    return thread;
}

static void destroy(struct stacks_reading *reading)
{
    arena_clear(&reading->arena);
    arena_clear(&reading->python.texts.arena);
    free(reading);
}

/* --- what /proc says --- */

static void read_kernel_function(pid_t pid, struct thread_stack *stack)
{
    char file[64];
    size_t bytes;
    snprintf(file, sizeof file, "task/%ld/wchan", (long)stack->tid);
    char *text = read_process_file("/proc", pid, file, &bytes);
    if (text != NULL && strcmp(text, "0") != 0)
        snprintf(stack->kernel_function, sizeof stack->kernel_function, "%s", text);
    free(text);
}

static void read_thread(struct stacks_reading *reading, pid_t tid)
{
    struct process_status status;
    if (!read_process_status("/proc", tid, &status))
        return;
    struct thread_stack *stack = &add_thread(reading, tid)->stack;
    stack->state = status.state;
    read_kernel_function(reading->target->pid, stack);
}

static void list_threads(struct stacks_reading *reading, void add(struct stacks_reading *reading, pid_t tid))
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)reading->target->pid);
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const pid_t tid = (pid_t)atol(entry->d_name);
        if (tid > 0)
            add(reading, tid);
    }
    if (directory != NULL)
        closedir(directory);
}

/* False: the process is gone, or it has ended and waits for its parent. */
static bool read_threads(struct stacks_reading *reading)
{
    bool is_alive = false;
    struct arena *outer = arena_use(&reading->arena);
    list_threads(reading, read_thread);
    arena_use(outer);
    for (size_t i = 0; i < reading->thread_count; i++) {
        const char state = reading->threads[i]->stack.state;
        is_alive = is_alive || (state != 'Z' && state != 'X');
    }
    return is_alive;
}

/* --- frames --- */

static long long processor_time_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool is_too_much(const struct stacks_reading *reading)
{
    return reading->frame_count >= MOST_PROCESS_FRAMES || processor_time_ms() - reading->begun_ms >= MOST_UNWINDING_MS;
}

void stack_take_registers(Dwfl_Frame *frame, struct frame_registers *registers)
{
#if REGISTERS_ARE_KNOWN && defined(HAVE_DWFL_FRAME_REG)
    Dwarf_Word value;
    if (dwfl_frame_reg(frame, STACK_POINTER, &value) == 0)
        registers->stack_pointer = value;
    for (unsigned i = 0; i < KEPT_REGISTERS; i++)
        if (dwfl_frame_reg(frame, kept_register(i), &value) == 0) {
            registers->kept[i] = value;
            registers->known |= 1u << i;
        }
#else
    (void)frame;
    (void)registers;
#endif
}

static int take_frame(Dwfl_Frame *frame, void *argument)
{
    struct walked_thread *thread = argument;
    struct walked_frame walked = {0};
    if (!dwfl_frame_pc(frame, &walked.address, &walked.is_activation))
        return DWARF_CB_ABORT;
    if (thread->frame_count == MOST_STACK_FRAMES || is_too_much(thread->reading))
        return DWARF_CB_ABORT;
    stack_take_registers(frame, &walked.registers);
    thread->frames = arena_append(thread->frames, &thread->frame_count, sizeof *thread->frames);
    thread->frames[thread->frame_count - 1] = walked;
    thread->reading->frame_count++;
    return DWARF_CB_OK;
}

static void add_new_thread(struct stacks_reading *reading, pid_t tid)
{
    if (find_thread(reading, tid) == NULL)
        add_thread(reading, tid);
}

static int list_thread_of_core(Dwfl_Thread *thread, void *reading)
{
    add_new_thread(reading, dwfl_thread_tid(thread));
    return DWARF_CB_OK;
}

static void walk_thread(const struct stack_access *access, struct walked_thread *thread)
{
    struct target *target = thread->reading->target;
    const pid_t tid = thread->stack.tid;
    thread->stack.is_left_out = is_too_much(thread->reading);
    thread->stack.is_cut =
        thread->stack.is_left_out || stack_access_walk(access, tid, take_frame, thread) != DWARF_CB_OK;
    thread->stack.system_call =
        target->core != NULL ? system_call_in_core(target, tid) : system_call_of_thread("/proc", target, tid);
}

/* Walks the threads of a living process that is held. */
static int walk_threads(struct stacks_reading *reading, struct reason *ret_reason)
{
    struct stack_access access;
    struct target *target = reading->target;
    if (stack_access_begin(target, true, &access, ret_reason) != 0)
        return -1;
    if (target->core != NULL)
        dwfl_getthreads(target->dwfl, list_thread_of_core, reading);
    else
        list_threads(reading, add_new_thread);
    reading->begun_ms = processor_time_ms();
    for (size_t i = 0; i < reading->thread_count; i++)
        walk_thread(&access, reading->threads[i]);
    stack_access_end(&access);
    return reading->thread_count > 0 ? 0 : reason_set(ret_reason, "there are no threads in %s", target->core_path);
}

/* --- what the frames are --- */

static void add_frame(struct thread_stack *stack, const struct walked_frame *walked, const struct site *site,
                      bool is_inlined)
{
    stack->frames = arena_append(stack->frames, &stack->frame_count, sizeof *stack->frames);
    stack->frames[stack->frame_count - 1] = (struct stack_frame){
        .address = walked->address, .site = site, .is_inlined = is_inlined, .registers = walked->registers};
}

/* Lines and inlined functions of the system and of interpreters are of no use, and to unpack its debug information
 * takes long. */
static void find_sites(struct walked_thread *thread, struct target *target, struct site_cache *sites)
{
    for (size_t i = 0; i < thread->frame_count; i++) {
        const uint64_t address = thread->frames[i].address;
        const uint64_t behind = address + (thread->frames[i].is_activation ? 1 : 0);
        const struct site *site = site_find_function(sites, target, behind);
        size_t count = 1;
        if (site != NULL && !is_system_module(site->module) && !is_interpreter_module(site->module))
            count = site_find_inlined(sites, target, behind, &site);
        for (size_t j = 0; j < count; j++)
            add_frame(&thread->stack, &thread->frames[i], site != NULL ? &site[j] : NULL, j + 1 < count);
    }
}

static bool is_function(const struct site *site, const char *name)
{
    return site != NULL && site->function != NULL && strcmp(site->function, name) == 0;
}

/* The exit status of a Python program whose interpreter has shut down, from the main thread. */
static int find_exit_status(struct stacks_reading *reading, struct site_cache *sites)
{
    struct target *target = reading->target;
    const struct walked_thread *thread = find_thread(reading, target->pid);
    for (size_t i = 0; thread != NULL && reading->python.has_ended && i < thread->frame_count; i++) {
        const struct walked_frame *frame = &thread->frames[i];
        const struct site *site = site_find_function(sites, target, frame->address);
        int status;
        if (is_function(site, "Py_Exit"))
            return PYTHON_STATUS_OF_EXIT;
        if (is_function(site, "Py_RunMain"))
            return python_find_exit_status(target, frame->address, frame->registers.stack_pointer, &status)
                       ? status
                       : PYTHON_STATUS_UNKNOWN;
    }
    return PYTHON_STATUS_UNKNOWN;
}

/* The exception whose address one of the functions keeps, the innermost first. */
static char *find_thrown(const struct walked_thread *thread, struct target *target)
{
    char *thrown = NULL;
    for (size_t i = 0; i < thread->frame_count && thrown == NULL; i++) {
        const uint64_t *kept = thread->frames[i].registers.kept;
        uint64_t addresses[KEPT_REGISTERS];
        size_t count = 0;
        for (size_t j = 0; j < KEPT_REGISTERS; j++)
            if (i == 0 || kept[j] != thread->frames[i - 1].registers.kept[j])
                addresses[count++] = kept[j];
        thrown = describe_thrown(target, addresses, count);
    }
    return thrown;
}

static const char *find_end(const struct walked_thread *thread, struct target *target)
{
    bool is_terminated = false;
    const char *end = arena_take(describe_stack_end(&thread->stack, &is_terminated));
    const char *thrown = end == NULL || is_terminated ? arena_take(find_thrown(thread, target)) : NULL;
    if (thrown == NULL)
        return end;
    return is_terminated ? arena_text("%s because of the exception %s", end, thrown)
                         : arena_text("while the exception %s unwinds its stack", thrown);
}

static int compare_threads(const void *left_thread, const void *right_thread)
{
    const pid_t left = ((const struct thread_stack *)left_thread)->tid;
    const pid_t right = ((const struct thread_stack *)right_thread)->tid;
    return left < right ? -1 : left > right;
}

static struct stacks put_together(struct stacks_reading *reading, struct site_cache *sites)
{
    struct stacks stacks = {.pid = reading->target->pid, .thread_count = reading->thread_count};
    stacks.threads = arena_allocate(stacks.thread_count * sizeof *stacks.threads);
    for (size_t i = 0; i < reading->thread_count; i++) {
        find_sites(reading->threads[i], reading->target, sites);
        stack_leave_out_start(&reading->threads[i]->stack);
        if (stacks.end == NULL)
            stacks.end = find_end(reading->threads[i], reading->target);
        stack_take_python(&reading->threads[i]->stack, &reading->python, sites);
        stacks.threads[i] = reading->threads[i]->stack;
    }
    const int status = find_exit_status(reading, sites);
    const char *end = arena_take(python_describe_end(&reading->python, status));
    if (end != NULL) {
        stacks.end = end;
        stacks.has_failed = python_has_failed(&reading->python, status);
    }
    qsort(stacks.threads, stacks.thread_count, sizeof *stacks.threads, compare_threads);
    for (size_t i = 1; i < stacks.thread_count; i++) {
        const struct thread_stack thread = stacks.threads[i];
        if (thread.tid != stacks.pid)
            continue;
        memmove(stacks.threads + 1, stacks.threads, i * sizeof *stacks.threads);
        stacks.threads[0] = thread;
    }
    return stacks;
}

static bool has_ended(struct target *target)
{
    struct stacks_reading *reading = allocate(sizeof *reading);
    reading->target = target;
    const bool is_alive = read_threads(reading);
    destroy(reading);
    return !is_alive;
}

int stacks_begin(struct target *target, struct stacks_reading **ret_reading, struct reason *ret_reason)
{
    struct stacks_reading *reading = allocate(sizeof *reading);
    reading->target = target;
    if (target_is_live(target) && !read_threads(reading)) {
        destroy(reading);
        reason_set(ret_reason, "process %ld has ended", (long)target->pid);
        return -1;
    }
    if (target_is_live(target))
        freeze_begin(target->pid, &reading->freeze, &reading->reason);
    *ret_reading = reading;
    return 0;
}

void stacks_unwind(struct stacks_reading *reading)
{
    struct reason *reason = &reading->reason;
    const bool is_held =
        reason->text[0] == '\0' &&
        (!target_is_live(reading->target) || freeze_finish(reading->target->pid, &reading->freeze, reason) == 0);
    struct arena *outer = arena_use(&reading->arena);
    reading->is_walked = is_held && walk_threads(reading, reason) == 0;
    arena_use(outer);
    if (reading->is_walked && !python_stacks_read(reading->target, &reading->python))
        reading->python = (struct python_stacks){.thread_count = 0};
}

void stacks_release(struct stacks_reading *reading)
{
    freeze_release(&reading->freeze);
}

int stacks_finish(struct stacks_reading *reading, struct site_cache *sites, struct stacks *ret_stacks,
                  struct reason *ret_reason)
{
    if (!reading->is_walked && (!target_is_live(reading->target) || has_ended(reading->target))) {
        *ret_reason = reading->reason;
        destroy(reading);
        return -1;
    }
    for (size_t i = 0; !reading->is_walked && i < reading->thread_count; i++) {
        struct thread_stack *stack = &reading->threads[i]->stack;
        stack->system_call = system_call_of_thread("/proc", reading->target, stack->tid);
    }
    struct arena *outer = arena_use(&reading->arena);
    *ret_stacks = put_together(reading, sites);
    ret_stacks->reason = reading->is_walked ? NULL : arena_copy(reading->reason.text);
    arena_use(outer);
    ret_stacks->arena = reading->arena;
    reading->arena = (struct arena){0};
    destroy(reading);
    return 0;
}

int stacks_read(struct target *target, struct site_cache *sites, struct stacks *ret_stacks, struct reason *ret_reason)
{
    struct stacks_reading *reading;
    if (stacks_begin(target, &reading, ret_reason) != 0)
        return -1;
    stacks_unwind(reading);
    stacks_release(reading);
    return stacks_finish(reading, sites, ret_stacks, ret_reason);
}
