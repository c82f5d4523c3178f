/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel's permissions: reading other processes, core files, shared memory.
 */
#include "doctor/doctor_internal.h"

#include "base/base.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20, LEAST_SHARED = 64 * MEBIBYTE };

/* A process that is no descendant of this one, as a rank is none, which waits until `ret_end` is closed. -1: there is
 * none. */
static pid_t start_stranger(int *ret_end)
{
    int names[2], life[2];
    pid_t stranger = -1;
    if (pipe(names) != 0)
        return -1;
    if (pipe(life) != 0) {
        close(names[0]);
        close(names[1]);
        return -1;
    }
    const pid_t parent = fork();
    if (parent == 0) {
        const pid_t child = fork();
        if (child == 0) {
            char byte;
            close(life[1]);
            close(names[0]);
            close(names[1]);
            _exit(read(life[0], &byte, 1) < 0);
        }
        _exit(write(names[1], &child, sizeof child) != sizeof child);
    }
    close(names[1]);
    close(life[0]);
    if (parent > 0 && (waitpid(parent, NULL, 0) != parent || read(names[0], &stranger, sizeof stranger) <= 0))
        stranger = -1;
    close(names[0]);
    *ret_end = life[1];
    return stranger;
}

/* errno of what fails; 0: the memory of another process of this user can be read, and it can be traced. */
static int find_ptrace_error(void)
{
    static volatile uint64_t value = 42;
    uint64_t copy = 0;
    int end = -1, error = 0;
    const pid_t stranger = start_stranger(&end);
    struct iovec here = {.iov_base = &copy, .iov_len = sizeof copy};
    struct iovec there = {.iov_base = (void *)&value, .iov_len = sizeof value};
    if (stranger <= 0 || process_vm_readv(stranger, &here, 1, &there, 1, 0) != sizeof value ||
        ptrace(PTRACE_SEIZE, stranger, NULL, NULL) != 0)
        error = errno;
    if (end >= 0)
        close(end);
    return error;
}

static bool is_container(void)
{
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 || getenv("container") != NULL ||
           getenv("APPTAINER_CONTAINER") != NULL;
}

static void check_ptrace(struct doctor *doctor)
{
    char scope[16];
    read_first_line("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope);
    const int error = find_ptrace_error();
    if (error == 0)
        doctor_add(doctor, "ptrace", DOCTOR_GOOD, "processes of this user can be read", NULL);
    else if (strcmp(scope, "3") == 0)
        doctor_add(doctor, "ptrace", DOCTOR_BAD, "kernel.yama.ptrace_scope is 3: nobody may read processes",
                   "echo kernel.yama.ptrace_scope=0 | sudo tee /etc/sysctl.d/90-ptrace.conf && sudo reboot");
    else if (scope[0] != '\0' && scope[0] != '0')
        doctor_add(doctor, "ptrace", DOCTOR_BAD,
                   arena_text("kernel.yama.ptrace_scope is %s: only a parent or root may read a process", scope),
                   "sudo sysctl kernel.yama.ptrace_scope=0");
    else
        doctor_add(doctor, "ptrace", DOCTOR_BAD,
                   arena_text("processes of this user cannot be read: %s", strerror(error)),
                   is_container() ? "start the container with: docker run --cap-add=SYS_PTRACE "
                                    "--security-opt seccomp=unconfined ..."
                                  : "run mpilens outside the sandbox or filter (seccomp, SELinux) that "
                                    "forbids ptrace(2); see: grep Seccomp /proc/self/status");
}

static void check_core_limit(struct doctor *doctor)
{
    struct rlimit limit = {0};
    getrlimit(RLIMIT_CORE, &limit);
    if (limit.rlim_cur > 0)
        doctor_add(doctor, "core limit", DOCTOR_GOOD, "a crash leaves a core file", NULL);
    else
        doctor_add(doctor, "core limit", DOCTOR_LIMITED, "a crash leaves no core file (the limit is 0)",
                   limit.rlim_max > 0 ? "ulimit -c unlimited"
                                      : "echo '* hard core unlimited' | sudo tee "
                                        "/etc/security/limits.d/core.conf, then log in again");
}

static void check_core_pattern(struct doctor *doctor)
{
    char pattern[256], uses_pid[16];
    read_first_line("/proc/sys/kernel/core_pattern", pattern, sizeof pattern);
    read_first_line("/proc/sys/kernel/core_uses_pid", uses_pid, sizeof uses_pid);
    if (strstr(pattern, "systemd-coredump") != NULL)
        doctor_add(doctor, "core pattern", DOCTOR_LIMITED, "systemd-coredump keeps the core files",
                   "coredumpctl dump PID --output core.PID");
    else if (pattern[0] == '|')
        doctor_add(doctor, "core pattern", DOCTOR_LIMITED, arena_text("core files go to a program: %s", pattern + 1),
                   "sudo sysctl kernel.core_pattern=core.%p");
    else if (strstr(pattern, "%p") == NULL && strstr(pattern, "%P") == NULL && uses_pid[0] != '1')
        doctor_add(doctor, "core pattern", DOCTOR_LIMITED,
                   arena_text("all ranks in a directory write the same core file, '%s'", pattern),
                   "sudo sysctl kernel.core_uses_pid=1");
    else
        doctor_add(doctor, "core pattern", DOCTOR_GOOD,
                   arena_text("each process writes its own core file, '%s'", pattern), NULL);
}

static void check_shared_memory(struct doctor *doctor)
{
    struct statvfs space;
    if (statvfs("/dev/shm", &space) != 0) {
        doctor_add(doctor, "/dev/shm", DOCTOR_BAD, arena_text("/dev/shm: %s", strerror(errno)),
                   "sudo mount -t tmpfs -o size=1g tmpfs /dev/shm");
        return;
    }
    const unsigned long long free_bytes = (unsigned long long)space.f_bavail * space.f_frsize;
    const char *text = arena_text("%llu MiB are free", free_bytes / MEBIBYTE);
    if (free_bytes >= LEAST_SHARED)
        doctor_add(doctor, "/dev/shm", DOCTOR_GOOD, text, NULL);
    else
        doctor_add(doctor, "/dev/shm", DOCTOR_LIMITED, text,
                   is_container() ? "start the container with: docker run --shm-size=1g ..."
                                  : "sudo mount -o remount,size=1g /dev/shm (or delete old files there)");
}

void doctor_check_system(struct doctor *doctor)
{
    check_ptrace(doctor);
    check_core_limit(doctor);
    check_core_pattern(doctor);
    check_shared_memory(doctor);
}
