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

int was_told(const char *word)
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    char path[4096];
    if (directory == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/%s", directory, word);
    return access(path, F_OK) == 0;
}

void tell(const char *word)
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    char path[4096];
    if (directory == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s/%s", directory, word);
    FILE *file = fopen(path, "w");
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
