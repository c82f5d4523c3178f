/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One line of numbers; a new file takes the place of the old one, so that a run that is killed loses nothing of it.
 */
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

uint64_t cpu_microseconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void progress_add(struct progress *progress, uint64_t number, uint64_t microseconds)
{
    progress->next = number + 1;
    progress->inputs++;
    progress->microseconds += microseconds;
    if (microseconds > progress->slowest_microseconds) {
        progress->slowest = number;
        progress->slowest_microseconds = microseconds;
    }
}

#define NUMBERS "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
#define LINE    "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n"

int progress_read(const char *path, struct progress *ret_progress)
{
    struct progress read;
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file == NULL && path != NULL && errno != ENOENT)
        perror(path);
    if (file == NULL)
        return path != NULL && errno != ENOENT;
    const int count = fscanf(file, NUMBERS, &read.next, &read.inputs, &read.microseconds, &read.slowest,
                             &read.slowest_microseconds, &read.copied, &read.answers);
    fclose(file);
    if (count != 7) {
        fprintf(stderr, "%s is no file of an earlier run\n", path);
        return 1;
    }
    *ret_progress = read;
    return 0;
}

int progress_write(const char *path, const struct progress *progress)
{
    char fresh[PATH_MAX];
    if (path == NULL)
        return 0;
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = fopen(fresh, "w");
    const int written =
        file != NULL ? fprintf(file, LINE, progress->next, progress->inputs, progress->microseconds, progress->slowest,
                               progress->slowest_microseconds, progress->copied, progress->answers)
                     : -1;
    const bool closed = file != NULL && fclose(file) == 0;
    if (written > 0 && closed && rename(fresh, path) == 0)
        return 0;
    perror(path);
    return 1;
}

void progress_print(const struct progress *progress, uint64_t end)
{
    const double seconds = (double)progress->microseconds / 1e6;
    const double inputs = progress->inputs > 0 ? (double)progress->inputs : 1;
    printf("%" PRIu64 " inputs, %" PRIu64 " still to come; %.1f s of CPU time: %.0f us each, %.0f a second; "
           "%.0f %% were copied, %.1f queries of each answered; slowest: input %" PRIu64 ", %.1f ms\n",
           progress->inputs, progress->next < end ? end - progress->next : 0, seconds,
           (double)progress->microseconds / inputs, progress->microseconds > 0 ? inputs / seconds : 0,
           100 * (double)progress->copied / inputs, (double)progress->answers / inputs, progress->slowest,
           (double)progress->slowest_microseconds / 1000);
}
