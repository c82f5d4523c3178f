/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names those system calls in which threads of MPI programs are found standing.
 */
#include "kernel/kernel.h"

#include <stddef.h>
#include <sys/syscall.h>

const char *system_call_name(long long number)
{
    /* clang-format off */
    static const struct {
        long long number;
        const char *name;
    } names[] = {
        {SYS_read, "read"},                 {SYS_write, "write"},
        {SYS_readv, "readv"},               {SYS_writev, "writev"},
        {SYS_pread64, "pread64"},           {SYS_pwrite64, "pwrite64"},
        {SYS_recvfrom, "recvfrom"},         {SYS_recvmsg, "recvmsg"},
        {SYS_sendto, "sendto"},             {SYS_sendmsg, "sendmsg"},
        {SYS_connect, "connect"},           {SYS_accept4, "accept4"},
        {SYS_shutdown, "shutdown"},
        {SYS_ppoll, "ppoll"},               {SYS_pselect6, "pselect6"},
        {SYS_epoll_pwait, "epoll_pwait"},   {SYS_futex, "futex"},
        {SYS_nanosleep, "nanosleep"},       {SYS_clock_nanosleep, "clock_nanosleep"},
        {SYS_sched_yield, "sched_yield"},   {SYS_rt_sigsuspend, "rt_sigsuspend"},
        {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
        {SYS_wait4, "wait4"},               {SYS_waitid, "waitid"},
        {SYS_ioctl, "ioctl"},               {SYS_fcntl, "fcntl"},
        {SYS_flock, "flock"},               {SYS_fsync, "fsync"},
        {SYS_fdatasync, "fdatasync"},       {SYS_openat, "openat"},
        {SYS_close, "close"},               {SYS_io_getevents, "io_getevents"},
        {SYS_mmap, "mmap"},                 {SYS_munmap, "munmap"},
        {SYS_madvise, "madvise"},           {SYS_process_vm_readv, "process_vm_readv"},
        {SYS_process_vm_writev, "process_vm_writev"},
        {SYS_restart_syscall, "restart_syscall"},
        {SYS_exit_group, "exit_group"},
#ifdef SYS_accept
        {SYS_accept, "accept"},
#endif
#ifdef SYS_semop
        {SYS_semop, "semop"},
#endif
#ifdef SYS_semtimedop
        {SYS_semtimedop, "semtimedop"},
#endif
#ifdef SYS_poll
        {SYS_poll, "poll"},
#endif
#ifdef SYS_select
        {SYS_select, "select"},
#endif
#ifdef SYS_pause
        {SYS_pause, "pause"},
#endif
#ifdef SYS_open
        {SYS_open, "open"},
#endif
#ifdef SYS_epoll_wait
        {SYS_epoll_wait, "epoll_wait"},
#endif
#ifdef SYS_epoll_pwait2
        {SYS_epoll_pwait2, "epoll_pwait2"},
#endif
#ifdef SYS_io_uring_enter
        {SYS_io_uring_enter, "io_uring_enter"},
#endif
#ifdef SYS_futex_waitv
        {SYS_futex_waitv, "futex_waitv"},
#endif
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}
