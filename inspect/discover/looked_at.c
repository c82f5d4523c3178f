/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps them by pid.
 */
#include "discover/discover.h"

#include "base/base.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NOTED = 1 << 16 };

struct look {
    struct process_status status;
    struct found_rank rank; /* pid 0: of no job */
    double looked_s;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct look *looks; /* by pid */
static size_t look_count;
static size_t capacity;

static void clear(struct look *look)
{
    free((char *)look->rank.executable);
    free((char *)look->rank.world);
}

static bool is_old(const struct look *look, double now_s)
{
    return now_s - look->looked_s >= LOOKED_AT_S;
}

static void forget_old(double now_s)
{
    size_t kept = 0;
    for (size_t i = 0; i < look_count; i++)
        if (is_old(&looks[i], now_s))
            clear(&looks[i]);
        else
            looks[kept++] = looks[i];
    look_count = kept;
}

static size_t find_place(pid_t pid)
{
    size_t first = 0, end = look_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (looks[middle].status.pid < pid)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool make_room(double now_s)
{
    if (look_count == capacity)
        forget_old(now_s);
    if (look_count < capacity)
        return true;
    const size_t more = capacity > 0 ? 2 * capacity : 256;
    struct look *grown = more <= MOST_NOTED ? realloc(looks, more * sizeof *looks) : NULL;
    if (grown == NULL)
        return false;
    looks = grown;
    capacity = more;
    return true;
}

static bool is_same(const struct process_status *left, const struct process_status *right)
{
    return left->pid == right->pid && left->parent == right->parent && left->user == right->user &&
           strcmp(left->name, right->name) == 0;
}

void looked_at_note(const struct process_status *status, const struct found_rank *rank, double now_s)
{
    struct look look = {.status = *status, .rank = rank != NULL ? *rank : (struct found_rank){0}, .looked_s = now_s};
    look.rank.executable = look.rank.executable != NULL ? copy_text(look.rank.executable) : NULL;
    look.rank.world = look.rank.world != NULL ? copy_text(look.rank.world) : NULL;
    struct look unused = look;
    pthread_mutex_lock(&mutex);
    const bool has_room = make_room(now_s);
    const size_t place = find_place(status->pid);
    if (place < look_count && looks[place].status.pid == status->pid) {
        unused = looks[place];
        looks[place] = look;
    } else if (has_room) {
        unused = (struct look){.looked_s = now_s};
        memmove(&looks[place + 1], &looks[place], (look_count - place) * sizeof *looks);
        looks[place] = look;
        look_count++;
    }
    pthread_mutex_unlock(&mutex);
    clear(&unused);
}

/* The mutex is held. NULL: there is none. */
static const struct look *find_look(const struct process_status *status, double now_s)
{
    const size_t place = find_place(status->pid);
    return place < look_count && is_same(&looks[place].status, status) && !is_old(&looks[place], now_s) ? &looks[place]
                                                                                                        : NULL;
}

bool looked_at_find(const struct process_status *status, double now_s, struct found_rank *ret_rank)
{
    pthread_mutex_lock(&mutex);
    const struct look *look = find_look(status, now_s);
    if (look != NULL) {
        *ret_rank = look->rank;
        ret_rank->executable = ret_rank->executable != NULL ? arena_copy(ret_rank->executable) : NULL;
        ret_rank->world = ret_rank->world != NULL ? arena_copy(ret_rank->world) : NULL;
    }
    pthread_mutex_unlock(&mutex);
    return look != NULL;
}

bool looked_at_has(const struct process_status *status, double now_s)
{
    pthread_mutex_lock(&mutex);
    const bool has = find_look(status, now_s) != NULL;
    pthread_mutex_unlock(&mutex);
    return has;
}

void looked_at_forget(void)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < look_count; i++)
        clear(&looks[i]);
    free(looks);
    looks = NULL;
    look_count = capacity = 0;
    pthread_mutex_unlock(&mutex);
}
