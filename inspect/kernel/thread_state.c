/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/task/TID.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *proc, pid_t pid, pid_t thread, const char *name)
{
    char file[64];
    size_t bytes;
    snprintf(file, sizeof file, "task/%ld/%s", (long)thread, name);
    return read_process_file(proc, pid, file, &bytes);
}

/* By proc(5) the word behind the name, which may hold parentheses. */
static char read_state(const char *proc, pid_t pid, pid_t thread)
{
    char *text = read_file(proc, pid, thread, "stat");
    const char *end = text != NULL ? strrchr(text, ')') : NULL;
    const char state = end != NULL && end[1] == ' ' ? end[2] : '\0';
    free(text);
    return state;
}

/* A kernel that does not count says 0. */
static struct thread_times read_times(const char *proc, pid_t pid, pid_t thread)
{
    char *text = read_file(proc, pid, thread, "schedstat");
    unsigned long long run_ns, waited_ns;
    const bool is_known = text != NULL && sscanf(text, "%llu %llu", &run_ns, &waited_ns) == 2 && run_ns > 0;
    free(text);
    return (struct thread_times){.run_s = is_known ? (double)run_ns / 1e9 : -1,
                                 .waited_s = is_known ? (double)waited_ns / 1e9 : -1};
}

static bool reads_descriptor(const char *name)
{
    return strcmp(name, "read") == 0 || strcmp(name, "recvfrom") == 0 || strcmp(name, "recvmsg") == 0;
}

static void read_system_call(const char *proc, pid_t pid, pid_t thread, struct thread_state *state)
{
    char *text = read_file(proc, pid, thread, "syscall");
    char *const ret_name = state->system_call;
    const size_t bytes = sizeof state->system_call;
    long long number;
    unsigned descriptor;
    if (text != NULL && sscanf(text, "%lld", &number) == 1 && number >= 0) { /* else "running", or -1: in none */
        const char *name = system_call_name(number);
        if (name != NULL)
            snprintf(ret_name, bytes, "%s", name);
        else
            snprintf(ret_name, bytes, "system call %lld", number);
        if (reads_descriptor(ret_name) && sscanf(text, "%*d 0x%x", &descriptor) == 1)
            state->descriptor = (int)descriptor;
    }
    free(text);
}

static void read_kernel_function(const char *proc, pid_t pid, pid_t thread, char *ret_name, size_t bytes)
{
    char *text = read_file(proc, pid, thread, "wchan");
    if (text != NULL && strcmp(text, "0") != 0)
        snprintf(ret_name, bytes, "%s", text);
    free(text);
}

bool thread_state_read(const char *proc, pid_t pid, pid_t thread, struct thread_state *ret_state)
{
    struct thread_state state = {.state = read_state(proc, pid, thread), .descriptor = -1};
    if (state.state == '\0')
        return false;
    state.times = read_times(proc, pid, thread);
    if (state.state != 'R') {
        read_system_call(proc, pid, thread, &state);
        read_kernel_function(proc, pid, thread, state.kernel_function, sizeof state.kernel_function);
    }
    *ret_state = state;
    return true;
}

struct thread_times thread_times_read(const char *proc, pid_t pid, pid_t thread, char *ret_state)
{
    *ret_state = read_state(proc, pid, thread);
    return read_times(proc, pid, thread);
}
