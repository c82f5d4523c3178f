/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the tests of mpidbg.h.
 */
#ifndef TESTS_DLL_TESTED_QUERIES_H
#define TESTS_DLL_TESTED_QUERIES_H

#include "mpilens/mpidbg.h"

#include "tested_job.h"

#define CONTEXT fake_image(&opened.debugger), opened.debugger.image_info, opened.process, opened.debugger.process_info

/* Publishes the job and sets the interface up. */
void open_queries(void);

/* In a .fini: fails the test where memory of the DLL is not freed. */
void close_queries(void);

void check_object(const struct mpidbg_object_info_t *object, int kind, mqs_taddr_t handle, int flags,
                  const char *function);
bool has_user(const struct mpidbg_object_info_t *object, int kind, mqs_taddr_t handle);

/* The vector of the fake job is made of 3 blocks of 2 MPI_INT, 4 apart. */
void set_vector(void);

#endif
