/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by tests of the wrappers: an initialized process, and a look at the shadow state from inside a call.
 */
#ifndef TESTS_RUNTIME_INSIDE_H
#define TESTS_RUNTIME_INSIDE_H

#include "fake_mpi.h"
#include "shadow.h"

/* The calling thread's current call, copied while the call was in the library. */
struct inside {
    unsigned looks; /* how often look_inside has run */
    const char *function;
    struct mpilens_thread thread;
    struct mpilens_operation operation;   /* state 0: the call has none */
    struct mpilens_operation operation_2; /* state 0: the call has no second one */
};

extern struct inside inside;

/* A hook: fills `inside`. */
void look_inside(const struct fake_call *call);

/* MPI_Init as rank 1 of 4, no errors, nothing done. */
void begin_mpi(void);

/* As begin_mpi, with MPI_Init_thread and MPI_THREAD_MULTIPLE. */
void begin_mpi_multiple(void);

/* Fails the test where something is left, then MPI_Finalize. */
void end_mpi(void);

/* All requests of arrays are complete, with the status that statuses[i] has. */
void complete_all(void);

/* The library refuses the call for this class of errors: it writes nothing. */
#define CHECK_REFUSED(call, error_class)                                                                               \
    do {                                                                                                               \
        fake.error = FAKE_ERROR(error_class);                                                                          \
        fake.error_is_early = true;                                                                                    \
        cr_assert_eq((call), FAKE_ERROR(error_class));                                                                 \
    } while (0)

/* Whether `site` lies in the code of `function`, which is not inlined. */
bool site_is_in(uint64_t site, const void *function);

/* Code addresses of functions, for site_is_in. */
#define CODE_OF(function) ((const void *)(uintptr_t)(function))

#endif
