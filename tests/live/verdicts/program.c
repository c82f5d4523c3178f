/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { life_seconds = 1200, milliseconds_per_second = 1000, nanoseconds_per_millisecond = 1000000 };

__attribute__((constructor)) static void limit_life(void)
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(life_seconds);
}

/* The file that stands for a word; 0: there is no driver. */
static int find_path(const char *word, char path[4096])
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    if (directory == NULL) {
        return 0;
    }
    snprintf(path, 4096, "%s/%s", directory, word);
    return 1;
}

int was_told(const char *word)
{
    char path[4096];
    return !find_path(word, path) || access(path, F_OK) == 0;
}

void never_return(MPI_Comm *communicator, int *error, ...)
{
    (void)communicator, (void)error;
    for (;;)
        pause();
}

void tell(const char *word)
{
    char path[4096];
    FILE *file = find_path(word, path) ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fclose(file);
    }
}

int told_to_end(void)
{
    return was_told("end");
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * milliseconds_per_second + (double)time.tv_nsec / nanoseconds_per_millisecond;
}

void compute(int milliseconds)
{
    double end = now() + milliseconds;
    while (now() < end) {
    }
}

int told_to_end_(void)
{
    return told_to_end();
}

void compute_(const int *milliseconds)
{
    compute(*milliseconds);
}
