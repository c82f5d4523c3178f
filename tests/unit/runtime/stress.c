/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads over the fake library.
 */
#include "stress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

MPI_Comm communicators[THREADS];

static void (*thread_work)(unsigned number);
static unsigned failures;

static void *run(void *number)
{
    thread_work(*(const unsigned *)number);
    return NULL;
}

void stress_begin(int level, int (*perform)(const struct fake_call *))
{
    fake.handler = perform;
    fake.thread_level = level;
    int provided;
    MPI_Init_thread(NULL, NULL, level, &provided);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
}

void stress_run(void (*work)(unsigned number))
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    thread_work = work;
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, run, &numbers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

void stress_check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "not so: %s\n", what);
        failures++;
    }
}

int stress_end(size_t lost)
{
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&communicators[i]);
    const char *leftover = lost == 0 ? shadow_leftover() : NULL;
    stress_check(shadow_live_operations() == lost, "no more operations are lost");
    if (leftover != NULL)
        fprintf(stderr, "at the end: %s\n", leftover);
    MPI_Finalize();
    return leftover != NULL || failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
