/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps mappings by pid, each in one of a few places.
 */
#include "base/base.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process takes 64 kB at most, all together 64 MB. */
enum { PLACES = KEPT_MAPS_PLACES, WAYS = 4, MOST_BYTES = 1 << 16 };

struct kept_mapping {
    struct mapping mapping; /* without texts */
    char permissions[5];
    size_t name; /* where it is in `names` */
};

struct kept_maps {
    struct kept_mapping *mappings;
    size_t count;
    char *names;
    size_t name_bytes;
    bool are_too_many;
    unsigned users; /* the place that has them, and who visits them */
};

struct place {
    pid_t pid; /* 0: nothing is kept */
    struct process_stat stat;
    double read_s;
    struct kept_maps *maps;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct place places[PLACES];
static double swept_s;

static void destroy(struct kept_maps *maps)
{
    free(maps->mappings);
    free(maps->names);
    free(maps);
}

/* The mutex is held. */
static void let_go(struct kept_maps *maps)
{
    if (maps != NULL && --maps->users == 0)
        destroy(maps);
}

static size_t add_name(struct kept_maps *maps, const char *name)
{
    const size_t last = maps->count > 0 ? maps->mappings[maps->count - 1].name : 0, bytes = strlen(name) + 1;
    if (maps->count > 0 && strcmp(maps->names + last, name) == 0) /* of a library several in a row */
        return last;
    const size_t place = maps->name_bytes;
    char *names = realloc(maps->names, place + bytes);
    if (names == NULL) {
        maps->are_too_many = true;
        return 0;
    }
    memcpy(names + place, name, bytes);
    maps->names = names;
    maps->name_bytes += bytes;
    return place;
}

static void add(struct kept_maps *maps, const struct mapping *mapping)
{
    maps->are_too_many = maps->are_too_many || maps->count * sizeof *maps->mappings + maps->name_bytes +
                                                       strlen(mapping->name) + sizeof *maps->mappings >
                                                   MOST_BYTES;
    const size_t name = maps->are_too_many ? 0 : add_name(maps, mapping->name);
    if (maps->are_too_many)
        return;
    maps->mappings = array_append(maps->mappings, &maps->count, sizeof *maps->mappings);
    struct kept_mapping *kept = &maps->mappings[maps->count - 1];
    *kept = (struct kept_mapping){.mapping = *mapping, .name = name};
    snprintf(kept->permissions, sizeof kept->permissions, "%s", mapping->permissions);
}

struct visit {
    visit_mapping *visit;
    void *context;
    struct kept_maps *maps;
};

static void visit_and_add(void *context, const struct mapping *mapping)
{
    const struct visit *visit = context;
    visit->visit(visit->context, mapping);
    add(visit->maps, mapping);
}

/* Drops the maps of processes that nobody looks at again. The mutex is held. */
static void drop_old(double now_s)
{
    if (now_s - swept_s < KEPT_MAPS_S)
        return;
    swept_s = now_s;
    for (size_t i = 0; i < PLACES; i++)
        if (places[i].pid != 0 && now_s - places[i].read_s >= KEPT_MAPS_S) {
            let_go(places[i].maps);
            places[i] = (struct place){.pid = 0};
        }
}

/* Where the process is; else a free place for it, or the one that was read first. The mutex is held. */
static struct place *find_place(pid_t pid)
{
    struct place *best = NULL;
    for (size_t i = 0; i < WAYS; i++) {
        struct place *place = &places[((size_t)pid + i) % PLACES];
        if (place->pid == pid)
            return place;
        if (best == NULL || (best->pid != 0 && (place->pid == 0 || place->read_s < best->read_s)))
            best = place;
    }
    return best;
}

static void keep(pid_t pid, const struct process_stat *stat, double read_s, struct kept_maps *maps)
{
    pthread_mutex_lock(&mutex);
    drop_old(read_s);
    struct place *place = find_place(pid);
    let_go(place->maps);
    *place = (struct place){.pid = pid, .stat = *stat, .read_s = read_s, .maps = maps};
    pthread_mutex_unlock(&mutex);
}

static int visit_anew(pid_t pid, const struct process_stat *stat, visit_mapping *visit, void *context)
{
    const double read_s = monotonic_s();
    struct kept_maps *maps = allocate(sizeof *maps);
    struct visit both = {.visit = visit, .context = context, .maps = maps};
    maps->users = 1;
    const int error = process_maps_visit("/proc", pid, visit_and_add, &both);
    if (error == 0 && maps->count > 0 && !maps->are_too_many)
        keep(pid, stat, read_s, maps);
    else
        destroy(maps);
    return error;
}

static bool has_same_memory(const struct process_stat *left, const struct process_stat *right)
{
    return left->start == right->start && left->page_faults == right->page_faults && left->bytes == right->bytes &&
           left->code == right->code;
}

/* NULL: there are none, or they may have changed. */
static struct kept_maps *recall(pid_t pid, const struct process_stat *stat)
{
    struct kept_maps *maps = NULL;
    const double now_s = monotonic_s();
    pthread_mutex_lock(&mutex);
    const struct place *place = find_place(pid);
    if (place->pid == pid && now_s - place->read_s < KEPT_MAPS_S && has_same_memory(&place->stat, stat)) {
        maps = place->maps;
        maps->users++;
    }
    pthread_mutex_unlock(&mutex);
    return maps;
}

static void visit_kept(struct kept_maps *maps, visit_mapping *visit, void *context)
{
    for (size_t i = 0; i < maps->count; i++) {
        struct mapping mapping = maps->mappings[i].mapping;
        mapping.permissions = maps->mappings[i].permissions;
        mapping.name = maps->names + maps->mappings[i].name;
        visit(context, &mapping);
    }
    pthread_mutex_lock(&mutex);
    let_go(maps);
    pthread_mutex_unlock(&mutex);
}

/* The stat is read before the mappings: later changes make them differ. */
int kept_maps_visit(pid_t pid, visit_mapping *visit, void *context)
{
    struct process_stat stat;
    if (pid <= 0 || blocked_read_is_silent(pid) || !process_stat_read("/proc", pid, &stat))
        return process_maps_visit("/proc", pid, visit, context);
    struct kept_maps *maps = recall(pid, &stat);
    if (maps == NULL)
        return visit_anew(pid, &stat, visit, context);
    visit_kept(maps, visit, context);
    return 0;
}

size_t kept_maps_count(void)
{
    size_t count = 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < PLACES; i++)
        count += places[i].pid != 0;
    pthread_mutex_unlock(&mutex);
    return count;
}

void kept_maps_forget(void)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < PLACES; i++) {
        let_go(places[i].maps);
        places[i] = (struct place){.pid = 0};
    }
    pthread_mutex_unlock(&mutex);
}
