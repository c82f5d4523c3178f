/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records the epochs and locks of windows.
 */
#include "objects/objects.h"

#include "memory/memory.h"

#include <pthread.h>

/* An array of the locks of a window. One that has become too short stays until nothing is locked: a reader may have
 * learnt its address just before. */
struct lock_array {
    struct lock_array *shorter;
    size_t bytes; /* mapped */
    struct mpilens_window_lock locks[];
};

enum { LOCK_ARRAY_BYTES = 4096 };

/* Threads may lock different targets of one window at the same time; also those that may not, but do. */
static pthread_mutex_t epoch_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct lock_array *array_of(const struct mpilens_window *window)
{
    return window->locks ? (struct lock_array *)(uintptr_t)(window->locks - offsetof(struct lock_array, locks)) : NULL;
}

static size_t capacity_of(const struct lock_array *array)
{
    return (array->bytes - offsetof(struct lock_array, locks)) / sizeof array->locks[0];
}

static void free_arrays(struct lock_array *array)
{
    while (array != NULL) {
        struct lock_array *shorter = array->shorter;
        memory_unmap(array, array->bytes);
        array = shorter;
    }
}

/* Makes room for one more lock. */
static struct lock_array *reserve(struct mpilens_window *window)
{
    struct lock_array *array = array_of(window);
    if (array != NULL && window->lock_count < capacity_of(array))
        return array;
    size_t bytes = array != NULL ? 2 * array->bytes : LOCK_ARRAY_BYTES;
    struct lock_array *longer = memory_map_shown(bytes);
    if (longer == NULL)
        return NULL;
    longer->bytes = bytes;
    longer->shorter = array;
    for (uint32_t i = 0; array != NULL && i < window->lock_count; i++)
        longer->locks[i] = array->locks[i];
    __atomic_store_n(&window->locks, (uint64_t)(uintptr_t)longer->locks, __ATOMIC_RELEASE);
    return longer;
}

static void add_lock(const struct thread *thread, struct mpilens_window *window, int32_t target, uint32_t type)
{
    struct lock_array *array = reserve(window);
    if (array == NULL) {
        __atomic_fetch_add(&mpilens_process.tables[MPILENS_TABLE_WINDOWS].untracked, 1, __ATOMIC_RELAXED);
        return;
    }
    array->locks[window->lock_count] = (struct mpilens_window_lock){
        .target = target, .type = type, .site = thread->published.site, .locked = thread->published.entered};
    __atomic_store_n(&window->lock_count, window->lock_count + 1, __ATOMIC_RELEASE);
}

/* Its place is taken by the last one. */
static void remove_lock(struct mpilens_window *window, int32_t target)
{
    struct lock_array *array = array_of(window);
    uint32_t place = window->lock_count;
    while (place > 0 && array->locks[place - 1].target != target)
        place--;
    if (place == 0)
        return;
    array->locks[place - 1] = array->locks[window->lock_count - 1];
    __atomic_store_n(&window->lock_count, window->lock_count - 1, __ATOMIC_RELEASE);
}

/* All but the longest array: the next epoch will lock as many. */
static void forget_shorter(struct mpilens_window *window)
{
    struct lock_array *array = array_of(window);
    if (array != NULL && array->shorter != NULL) {
        free_arrays(array->shorter);
        array->shorter = NULL;
    }
}

/* The thread's current call is the last synchronization. */
static void note_call(const struct thread *thread, struct mpilens_window *window)
{
    window->synchronization = thread->published.function;
    window->synchronization_site = thread->published.site;
    window->synchronization_time = thread->published.entered;
    window->synchronizations++;
}

static void begin_change(const struct thread *thread, struct mpilens_window *window)
{
    pthread_mutex_lock(&epoch_mutex);
    note_call(thread, window);
}

static void end_change(void)
{
    pthread_mutex_unlock(&epoch_mutex);
}

static void set_all_complete(struct mpilens_window *window)
{
    __atomic_store_n(&window->operations_since, 0, __ATOMIC_RELAXED);
}

/* A synchronization of another kind shows that the last fence has opened no epoch. */
static void forget_fence(struct mpilens_window *window)
{
    if (window->access_epoch == MPILENS_EPOCH_FENCE)
        window->access_epoch = MPILENS_EPOCH_NONE;
    if (window->exposure_epoch == MPILENS_EPOCH_FENCE)
        window->exposure_epoch = MPILENS_EPOCH_NONE;
}

/* The record that *reference names from now on; gives back what it named before. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is stored to */
static void set_group(uint64_t *reference, struct mpilens_group *group)
{
    struct mpilens_group *before = (struct mpilens_group *)(uintptr_t)*reference;
    __atomic_store_n(reference, (uint64_t)(uintptr_t)group, __ATOMIC_RELEASE);
    group_release(before);
}

void window_fenced(struct thread *thread, struct mpilens_window *window, int assertion)
{
    const uint32_t epoch = (assertion & MPI_MODE_NOSUCCEED) ? MPILENS_EPOCH_NONE : MPILENS_EPOCH_FENCE;
    begin_change(thread, window);
    window->access_epoch = epoch;
    window->exposure_epoch = epoch;
    set_all_complete(window);
    end_change();
}

/* The record of a group for as long as an epoch lasts. Its handle is valid: a call with it has succeeded. */
static struct mpilens_group *group_of_epoch(MPI_Group handle)
{
    struct mpilens_group *known = group_find(HANDLE_VALUE(handle));
    return known != NULL ? group_retain(known) : group_of_handle(handle);
}

void window_starting(struct mpilens_window *window, MPI_Group group)
{
    pthread_mutex_lock(&epoch_mutex);
    if (window->access_epoch != MPILENS_EPOCH_GROUP)
        set_group(&window->access_group, group_retain(group_find(HANDLE_VALUE(group))));
    pthread_mutex_unlock(&epoch_mutex);
}

/* Begins an epoch towards the processes of `group`. `epoch` and `epoch_group` belong to one side of the window. */
static void begin_group_epoch(struct thread *thread, struct mpilens_window *window, MPI_Group group, uint32_t *epoch,
                              uint64_t *epoch_group)
{
    struct mpilens_group *record = group_of_epoch(group); /* outside of the lock: it may ask MPI */
    begin_change(thread, window);
    forget_fence(window);
    set_group(epoch_group, record);
    *epoch = MPILENS_EPOCH_GROUP;
    end_change();
}

void window_started(struct thread *thread, struct mpilens_window *window, MPI_Group group)
{
    begin_group_epoch(thread, window, group, &window->access_epoch, &window->access_group);
}

void window_not_started(struct mpilens_window *window)
{
    pthread_mutex_lock(&epoch_mutex);
    if (window->access_epoch != MPILENS_EPOCH_GROUP)
        set_group(&window->access_group, NULL);
    pthread_mutex_unlock(&epoch_mutex);
}

void window_completed(struct thread *thread, struct mpilens_window *window)
{
    begin_change(thread, window);
    window->access_epoch = MPILENS_EPOCH_NONE;
    set_group(&window->access_group, NULL);
    set_all_complete(window);
    end_change();
}

void window_posted(struct thread *thread, struct mpilens_window *window, MPI_Group group)
{
    begin_group_epoch(thread, window, group, &window->exposure_epoch, &window->exposure_group);
}

void window_exposure_ended(struct thread *thread, struct mpilens_window *window)
{
    begin_change(thread, window);
    window->exposure_epoch = MPILENS_EPOCH_NONE;
    set_group(&window->exposure_group, NULL);
    end_change();
}

void window_locked(struct thread *thread, struct mpilens_window *window, int32_t target, int type)
{
    begin_change(thread, window);
    forget_fence(window);
    if (target != MPI_PROC_NULL) { /* nobody's window is nobody's to lock */
        add_lock(thread, window, target, window_lock_type(type));
        window->access_epoch = MPILENS_EPOCH_LOCK;
    }
    end_change();
}

void window_unlocked(struct thread *thread, struct mpilens_window *window, int32_t target)
{
    begin_change(thread, window);
    if (target != MPI_PROC_NULL)
        remove_lock(window, target);
    if (window->lock_count == 0 && window->access_epoch == MPILENS_EPOCH_LOCK) {
        window->access_epoch = MPILENS_EPOCH_NONE;
        forget_shorter(window);
        set_all_complete(window);
    }
    end_change();
}

void window_locked_all(struct thread *thread, struct mpilens_window *window)
{
    begin_change(thread, window);
    forget_fence(window);
    window->access_epoch = MPILENS_EPOCH_LOCK_ALL;
    end_change();
}

void window_unlocked_all(struct thread *thread, struct mpilens_window *window)
{
    begin_change(thread, window);
    window->access_epoch = MPILENS_EPOCH_NONE;
    set_all_complete(window);
    end_change();
}

void window_flushed(struct thread *thread, struct mpilens_window *window, int32_t target)
{
    begin_change(thread, window);
    /* The operations of other targets are complete where this one alone is locked: they were when it was unlocked. */
    if (window->access_epoch == MPILENS_EPOCH_LOCK && window->lock_count == 1 &&
        array_of(window)->locks[0].target == target)
        set_all_complete(window);
    end_change();
}

void window_flushed_all(struct thread *thread, struct mpilens_window *window)
{
    begin_change(thread, window);
    set_all_complete(window);
    end_change();
}

void window_synchronized(struct thread *thread, struct mpilens_window *window)
{
    begin_change(thread, window);
    end_change();
}

void window_epochs_clear(struct mpilens_window *window)
{
    pthread_mutex_lock(&epoch_mutex);
    struct lock_array *array = array_of(window);
    __atomic_store_n(&window->lock_count, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&window->locks, 0, __ATOMIC_RELEASE);
    window->access_epoch = MPILENS_EPOCH_NONE;
    window->exposure_epoch = MPILENS_EPOCH_NONE;
    set_group(&window->access_group, NULL);
    set_group(&window->exposure_group, NULL);
    pthread_mutex_unlock(&epoch_mutex);
    free_arrays(array);
}
