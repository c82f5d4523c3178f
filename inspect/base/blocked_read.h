/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads of other processes that never end.
 *
 * Memory may be mapped from a file system that does not answer, or that the owner of the process runs (FUSE,
 * userfaultfd). Who reads it waits until that gives the page, and only SIGKILL ends the wait. So a thread watches those
 * who read, and may become another program, which ends the thread that waits (execve(2)). What must go on as it is has
 * threads that read for it, and leaves the one that waits behind; when its read returns after all, that thread ends.
 */
#ifndef MPILENS_INSPECT_BASE_BLOCKED_READ_H
#define MPILENS_INSPECT_BASE_BLOCKED_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* So long after it has answered late, a process is read again; after it was late again, twice as long. */
#define BLOCKED_READ_MARK_S 60.0

/* Watches the reads of this thread from now on. When one stands still for a second, `on_block` is called by another
 * thread, which has the signal mask of this one. */
void blocked_read_watch(void (*on_block)(pid_t pid));

/* Calls the function in a thread of its own, which does not take signals, and waits for it. When a read in it stands
 * still for a second, the process is noted, the thread left behind where it is, with all that it holds, and the
 * function called anew; what it does must allow that, and it must not have stopped other processes. False: no thread
 * can be made, or what stands still cannot be noted, and the function has not come to its end. Nothing is watched
 * otherwise from then on. */
bool blocked_read_leave_out(void (*function)(void *context), void *context);

/* How many threads were left behind so far. What they hold, libraries that they called included, stands as it was. */
unsigned blocked_read_count_left(void);

/* What this thread reads from now on is not watched: it is of those for which nobody waits. */
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
/* Of how many processes that is noted. */
size_t blocked_read_count_noted(void);
/* Puts what is noted into the environment, for the program that this one becomes. */
bool blocked_read_hand_on(void);
/* Forgets what is noted: it may answer now. */
void blocked_read_forget(void);
/* Whether that is noted: the memory of the process is best left alone. */
bool blocked_read_is_noted(pid_t pid);
/* Whether it is noted twice: what the kernel tells of the memory is best left alone, too. It waits for whoever changes
 * the mappings, and that may be a process that gets no processor time. */
bool blocked_read_is_silent(pid_t pid);

#endif
