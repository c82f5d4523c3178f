/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may come to a request table. Its own thread uses it without a lock until another thread comes. That one opens it:
 * the quick way in leads nowhere from then on, and everything locks. What the thread itself has begun without a lock is
 * over when it is neither in a call nor in one of the slow functions; before that, nobody else may come. Below
 * MPI_THREAD_MULTIPLE a program that keeps to its level never finds the other thread in a call.
 */
#ifndef MPILENS_RUNTIME_THREAD_REQUEST_TABLE_VISIT_H
#define MPILENS_RUNTIME_THREAD_REQUEST_TABLE_VISIT_H

#include "thread/thread.h"

/* Whether `visitor`, the calling thread, may lock the table of another thread, `owner`. False: that one is in MPI
 * although it may not be, or there is no memory. */
bool request_table_visit(struct thread *visitor, struct thread *owner);

#endif
