/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading stacks: what /proc says of the threads, then their frames while they stand still, then what the frames are.
 */
#include "stack.h"

#include "allocation.h"
#include "process_files.h"
#include "stack_access.h"
#include "stack_system.h"
#include "target_kinds.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A thread, and its frames as they were unwound. */
struct walked_thread {
    struct thread_stack stack;
    struct walked_frame {
        uint64_t address;
        bool is_activation; /* the code at the address has run, or was about to; else that before it was a call */
    } frames[MOST_STACK_FRAMES];
    size_t frame_count;
};

struct walk {
    struct target *target;
    struct walked_thread **threads; /* frames are many: each thread by itself */
    size_t thread_count;
};

static struct walked_thread *find_thread(const struct walk *walk, pid_t tid)
{
    for (size_t i = 0; i < walk->thread_count; i++)
        if (walk->threads[i]->stack.tid == tid)
            return walk->threads[i];
    return NULL;
}

static struct walked_thread *add_thread(struct walk *walk, pid_t tid)
{
    struct walked_thread *thread = allocate(sizeof *thread);
    thread->stack.tid = tid;
    walk->threads = array_append(walk->threads, &walk->thread_count, sizeof(struct walked_thread *));
    walk->threads[walk->thread_count - 1] = thread;
    return thread;
}

static void clear_walk(struct walk *walk)
{
    for (size_t i = 0; i < walk->thread_count; i++)
        free(walk->threads[i]);
    free(walk->threads);
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

static void read_thread(struct walk *walk, pid_t tid)
{
    struct process_status status;
    if (!read_process_status("/proc", tid, &status))
        return;
    struct thread_stack *stack = &add_thread(walk, tid)->stack;
    stack->state = status.state;
    stack->system_call = system_call_of_thread("/proc", walk->target, tid);
    read_kernel_function(walk->target->pid, stack);
}

static void list_threads(struct walk *walk, void add(struct walk *walk, pid_t tid))
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)walk->target->pid);
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const pid_t tid = (pid_t)atol(entry->d_name);
        if (tid > 0)
            add(walk, tid);
    }
    if (directory != NULL)
        closedir(directory);
}

/* False: the process is gone, or it has ended and waits for its parent. */
static bool read_threads(struct walk *walk)
{
    bool is_alive = false;
    list_threads(walk, read_thread);
    for (size_t i = 0; i < walk->thread_count; i++) {
        const char state = walk->threads[i]->stack.state;
        is_alive = is_alive || (state != 'Z' && state != 'X');
    }
    return is_alive;
}

/* --- frames --- */

static int take_frame(Dwfl_Frame *frame, void *argument)
{
    struct walked_thread *thread = argument;
    struct walked_frame walked = {0};
    if (!dwfl_frame_pc(frame, &walked.address, &walked.is_activation))
        return DWARF_CB_ABORT;
    if (thread->frame_count == MOST_STACK_FRAMES)
        return DWARF_CB_ABORT;
    thread->frames[thread->frame_count++] = walked;
    return DWARF_CB_OK;
}

static void add_new_thread(struct walk *walk, pid_t tid)
{
    if (find_thread(walk, tid) == NULL)
        add_thread(walk, tid);
}

static int list_thread_of_core(Dwfl_Thread *thread, void *walk)
{
    add_new_thread(walk, dwfl_thread_tid(thread));
    return DWARF_CB_OK;
}

static int walk_threads(struct walk *walk, struct reason *ret_reason)
{
    struct stack_access access;
    struct target *target = walk->target;
    if (stack_access_begin(target, false, &access, ret_reason) != 0)
        return -1;
    const bool is_core = target->core != NULL;
    if (is_core)
        dwfl_getthreads(target->dwfl, list_thread_of_core, walk);
    else
        list_threads(walk, add_new_thread);
    for (size_t i = 0; i < walk->thread_count; i++) {
        struct walked_thread *thread = walk->threads[i];
        const pid_t tid = thread->stack.tid;
        thread->stack.is_cut = stack_access_walk(&access, tid, take_frame, thread) != DWARF_CB_OK;
        thread->stack.system_call =
            is_core ? system_call_in_core(target, tid) : system_call_of_thread("/proc", target, tid);
    }
    stack_access_end(&access);
    return walk->thread_count > 0 ? 0 : reason_set(ret_reason, "there are no threads in %s", target->core_path);
}

/* --- what the frames are --- */

static void add_frame(struct thread_stack *stack, uint64_t address, const struct site *site, bool is_inlined)
{
    stack->frames = array_append(stack->frames, &stack->frame_count, sizeof *stack->frames);
    stack->frames[stack->frame_count - 1] =
        (struct stack_frame){.address = address, .site = site, .is_inlined = is_inlined};
}

/* Lines and inlined functions of the system are of no use, and to unpack its debug information takes long. */
static void find_sites(struct walked_thread *thread, struct target *target, struct site_cache *sites)
{
    for (size_t i = 0; i < thread->frame_count; i++) {
        const uint64_t address = thread->frames[i].address;
        const uint64_t behind = address + (thread->frames[i].is_activation ? 1 : 0);
        const struct site *site = site_find_function(sites, target, behind);
        size_t count = 1;
        if (site != NULL && !is_system_module(site->module))
            count = site_find_inlined(sites, target, behind, &site);
        for (size_t j = 0; j < count; j++)
            add_frame(&thread->stack, address, site != NULL ? &site[j] : NULL, j + 1 < count);
    }
}

static int compare_threads(const void *left_thread, const void *right_thread)
{
    const pid_t left = ((const struct thread_stack *)left_thread)->tid;
    const pid_t right = ((const struct thread_stack *)right_thread)->tid;
    return left < right ? -1 : left > right;
}

static struct stacks finish(struct walk *walk, struct site_cache *sites)
{
    struct stacks stacks = {.pid = walk->target->pid, .thread_count = walk->thread_count};
    stacks.threads = allocate(stacks.thread_count * sizeof *stacks.threads);
    for (size_t i = 0; i < walk->thread_count; i++) {
        find_sites(walk->threads[i], walk->target, sites);
        stacks.threads[i] = walk->threads[i]->stack;
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
    struct walk walk = {.target = target};
    const bool is_alive = read_threads(&walk);
    clear_walk(&walk);
    return !is_alive;
}

int stacks_read(struct target *target, struct site_cache *sites, struct stacks *ret_stacks, struct reason *ret_reason)
{
    struct walk walk = {.target = target};
    struct reason reason;
    const bool is_live = target_is_live(target);
    if (is_live && !read_threads(&walk)) {
        clear_walk(&walk);
        return reason_set(ret_reason, "process %ld has ended", (long)target->pid);
    }
    const bool is_walked = walk_threads(&walk, &reason) == 0;
    if (!is_walked && (!is_live || has_ended(target))) {
        clear_walk(&walk);
        *ret_reason = reason;
        return -1;
    }
    *ret_stacks = finish(&walk, sites);
    ret_stacks->reason = is_walked ? NULL : copy_text(reason.text);
    clear_walk(&walk);
    return 0;
}

void stacks_clear(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->thread_count; i++)
        free(stacks->threads[i].frames);
    free(stacks->threads);
    free(stacks->reason);
    *stacks = (struct stacks){0};
}
