/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by tests of the DLL: the job under test, and checks when it is made and closed.
 */
#ifndef TESTS_DLL_TESTED_JOB_H
#define TESTS_DLL_TESTED_JOB_H

#include "fake_objects.h"
#include "opened_job.h"

extern struct opened_job opened;
extern struct fake_objects objects; /* where create_job_with_objects was called */

/* Not yet published: the communicators and datatypes of a fake job, and nothing, everything or the objects. */
void create_job(void);
void create_populated_job(void);
void create_small_populated_job(void); /* in little memory: it is copied or spoiled as a whole */
void create_job_with_objects(void);

/* With objects: handles are ints, and the same in Fortran, but for files; or pointers, and Fortran has other integers.
 */
enum { TESTED_COMM_NULL = 0x04000000, TESTED_REQUEST_NULL = 0x2c000000 }; /* of ints */
void create_job_of_ints(void);
void create_job_of_pointers(void);

/* Publishes it and opens it in the debugger, which succeeds. */
void open_job(void);

/* The same, and goes to MPI_COMM_WORLD. */
void open_world(void);

/* Takes another copy, after changes. */
void copy_again(void);

/* Changes a field of a record. */
void put_field(uint64_t record, enum mpilens_field field, uint64_t value);

/* Makes the object that this C handle names the current one. */
struct mpilens_object_information find_object(int kind, uint64_t handle);

/* A nonblocking operation on MPI_COMM_WORLD, pending; to be changed. */
struct mpilens_operation send_to(int32_t peer, int32_t tag);
struct mpilens_operation receive_from(int32_t peer, int32_t tag);

/* Returns the address of the record. */
uint64_t add_operation(const struct mpilens_operation *record);

/* In a .fini, where Criterion reports failed assertions and counts the test as passed. */
void fail_after_test_unless(bool condition, const char *message);

/* Fails the test where the DLL has not freed all of its memory. */
void close_job(void);

#endif
