/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps them by pid.
 */
#include "discover/passed_over.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NOTED = 1 << 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct process_status *noted; /* by pid */
static size_t noted_count;
static size_t capacity;
static double begun_s;

static void forget_old(double now_s)
{
    if (now_s - begun_s >= PASSED_OVER_S)
        noted_count = 0;
    if (noted_count == 0)
        begun_s = now_s;
}

static size_t find_place(pid_t pid)
{
    size_t first = 0, end = noted_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (noted[middle].pid < pid)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool make_room(void)
{
    if (noted_count < capacity)
        return true;
    const size_t more = capacity > 0 ? 2 * capacity : 256;
    struct process_status *grown = more <= MOST_NOTED ? realloc(noted, more * sizeof *noted) : NULL;
    if (grown == NULL)
        return false;
    noted = grown;
    capacity = more;
    return true;
}

static bool is_same(const struct process_status *left, const struct process_status *right)
{
    return left->parent == right->parent && left->user == right->user && strcmp(left->name, right->name) == 0;
}

void passed_over_note(const struct process_status *status, double now_s)
{
    pthread_mutex_lock(&mutex);
    forget_old(now_s);
    const size_t place = find_place(status->pid);
    if (place < noted_count && noted[place].pid == status->pid) {
        noted[place] = *status;
    } else if (make_room()) {
        memmove(&noted[place + 1], &noted[place], (noted_count - place) * sizeof *noted);
        noted[place] = *status;
        noted_count++;
    }
    pthread_mutex_unlock(&mutex);
}

bool passed_over_has(const struct process_status *status, double now_s)
{
    pthread_mutex_lock(&mutex);
    forget_old(now_s);
    const size_t place = find_place(status->pid);
    const bool has = place < noted_count && noted[place].pid == status->pid && is_same(&noted[place], status);
    pthread_mutex_unlock(&mutex);
    return has;
}

void passed_over_forget(void)
{
    pthread_mutex_lock(&mutex);
    free(noted);
    noted = NULL;
    noted_count = capacity = 0;
    pthread_mutex_unlock(&mutex);
}
