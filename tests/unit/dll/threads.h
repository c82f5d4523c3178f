/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of the tested job: setting their state, and checking the DLL's replies about them.
 */
#ifndef TESTS_DLL_THREADS_H
#define TESTS_DLL_THREADS_H

#include "tested_job.h"

/* A thread in this call on nothing; to be changed. */
struct mpilens_thread in_call(uint32_t function);

/* Returns the address of its record. */
uint64_t add_thread(const struct mpilens_thread *process);

/* The thread's call waits for these requests. */
void give_requests(struct mpilens_thread *thread, const uint32_t *handles, size_t count);

/* An operation with this request handle. Returns the address of its record. */
uint64_t add_request(uint32_t flags, uint32_t handle, uint32_t state);

/* Opens the job; the DLL's reply about its first thread. */
struct mpilens_thread_information open_first_thread(void);

struct mpilens_thread_information next_thread(void);

/* The current thread waits for the operations with these serials, in this order. */
void check_waiting(const uint64_t *serials, size_t count);

#define CHECK_WAITING(...)                                                                                             \
    check_waiting((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif
