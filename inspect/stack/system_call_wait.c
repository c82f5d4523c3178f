/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words for system calls that wait. Section 2 of the Linux manual pages explains their arguments.
 */
#include "stack/stack_internal.h"

#include "base/base.h"
#include "kernel/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { MOST_PATH_BYTES = 256 };

/* An argument that names what is waited for, and the words around that. */
struct waiting_call {
    long long number;
    enum { PATH, DESCRIPTOR, CHILD, NOTHING } kind;
    int argument;
    const char *before, *after;
};

static const struct waiting_call waiting_calls[] = {
#ifdef SYS_open
    {SYS_open, PATH, 0, "waiting to open ", ""},
#endif
    {SYS_openat, PATH, 1, "waiting to open ", ""},
    {SYS_read, DESCRIPTOR, 0, "waiting to read ", ""},
    {SYS_readv, DESCRIPTOR, 0, "waiting to read ", ""},
    {SYS_pread64, DESCRIPTOR, 0, "waiting to read ", ""},
    {SYS_recvfrom, DESCRIPTOR, 0, "waiting to read ", ""},
    {SYS_recvmsg, DESCRIPTOR, 0, "waiting to read ", ""},
    {SYS_write, DESCRIPTOR, 0, "waiting to write ", ""},
    {SYS_writev, DESCRIPTOR, 0, "waiting to write ", ""},
    {SYS_pwrite64, DESCRIPTOR, 0, "waiting to write ", ""},
    {SYS_sendto, DESCRIPTOR, 0, "waiting to write ", ""},
    {SYS_sendmsg, DESCRIPTOR, 0, "waiting to write ", ""},
    {SYS_flock, DESCRIPTOR, 0, "waiting for a lock of ", ""},
    {SYS_fcntl, DESCRIPTOR, 0, "waiting for a lock of ", ""},
    {SYS_fsync, DESCRIPTOR, 0, "waiting for ", " to be stored"},
    {SYS_fdatasync, DESCRIPTOR, 0, "waiting for ", " to be stored"},
    {SYS_wait4, CHILD, 0, "waiting for ", " to end"},
    {SYS_waitid, CHILD, 1, "waiting for ", " to end"},
    {SYS_connect, NOTHING, 0, "waiting to connect", ""},
#ifdef SYS_accept
    {SYS_accept, NOTHING, 0, "waiting for a connection", ""},
#endif
    {SYS_accept4, NOTHING, 0, "waiting for a connection", ""},
};

/* Long ones end in "...", not within a character of UTF-8. Takes the path. */
static char *shorten(char *path)
{
    size_t bytes = MOST_PATH_BYTES;
    if (strlen(path) <= bytes)
        return path;
    while (bytes > 0 && ((unsigned char)path[bytes] & 0xc0) == 0x80)
        bytes--;
    char *shorter = format_text("%.*s...", (int)bytes, path);
    free(path);
    return shorter;
}

static char *read_path(struct target *target, uint64_t address)
{
    char path[MOST_PATH_BYTES + 5];
    size_t bytes = 0;
    while (bytes < sizeof path - 1 && target_peek(target, address + bytes, &path[bytes], 1) && path[bytes] != '\0')
        bytes++;
    return bytes > 0 ? shorten(format_text("%.*s", (int)bytes, path)) : NULL;
}

static char *describe_descriptor(const struct target *target, uint64_t descriptor)
{
    char file[32];
    snprintf(file, sizeof file, "fd/%d", (int)descriptor);
    char *path = read_process_link("/proc", target_pid(target), file);
    if (path == NULL)
        return NULL;
    path = shorten(path);
    const char *name = strncmp(path, "pipe:", 5) == 0 ? "a pipe" : strncmp(path, "socket:", 7) == 0 ? "a socket" : path;
    char *said = (int)descriptor == 0 ? format_text("standard input (%s)", name) : copy_text(name);
    free(path);
    return said;
}

static char *describe_child(const struct system_call *call)
{
    const int64_t child = call->number == SYS_waitid ? (int64_t)call->arguments[1] : (int32_t)call->arguments[0];
    const bool is_one = call->number == SYS_waitid ? call->arguments[0] == P_PID : child > 0;
    return is_one ? format_text("process %lld", (long long)child) : copy_text("a child process");
}

static bool is_other_request(const struct system_call *call)
{
    return call->number == SYS_fcntl && (int)call->arguments[1] != F_SETLKW && (int)call->arguments[1] != F_OFD_SETLKW;
}

char *describe_system_call_wait(struct target *target, const struct system_call *call)
{
    const struct waiting_call *waiting = NULL;
    for (size_t i = 0; i < sizeof waiting_calls / sizeof *waiting_calls && waiting == NULL; i++)
        if (call->is_known && waiting_calls[i].number == call->number)
            waiting = &waiting_calls[i];
    if (waiting == NULL || !target_is_live(target) || is_other_request(call))
        return NULL;
    const uint64_t argument = call->arguments[waiting->argument];
    char *subject = waiting->kind == PATH         ? read_path(target, argument)
                    : waiting->kind == DESCRIPTOR ? describe_descriptor(target, argument)
                    : waiting->kind == CHILD      ? describe_child(call)
                                                  : copy_text("");
    char *said = subject != NULL ? format_text("%s%s%s", waiting->before, subject, waiting->after) : NULL;
    free(subject);
    return said;
}

pid_t system_call_lock_holder(const struct target *target, const struct system_call *call)
{
    const bool is_lock = call->is_known && (call->number == SYS_flock || call->number == SYS_fcntl);
    return is_lock && target_is_live(target) && !is_other_request(call)
               ? file_lock_holder("/proc/locks", target_pid(target))
               : 0;
}
