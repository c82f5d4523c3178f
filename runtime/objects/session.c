/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of sessions, and asks MPI the questions that need a session.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "thread/thread.h"

#include <sched.h>
#include <string.h>

static void give_back_process_sets(void *record)
{
    texts_give_back(((struct mpilens_session *)record)->process_sets);
}

static struct object_kind sessions = OBJECT_KIND(MPILENS_TABLE_SESSIONS, give_back_process_sets);

/* MPI has told some session that several threads may use it. */
static bool several_threads;

bool session_threads_multiple(void)
{
    return __atomic_load_n(&several_threads, __ATOMIC_RELAXED);
}

struct mpilens_session *session_find(uint64_t handle)
{
    return object_find(&sessions, handle);
}

uint64_t session_retain(uint64_t session)
{
    object_use((void *)(uintptr_t)session);
    return session;
}

void session_release(uint64_t session)
{
    object_unuse(&sessions, (void *)(uintptr_t)session);
}

void session_release_locked(uint64_t session)
{
    object_unuse_locked(&sessions, (void *)(uintptr_t)session);
}

uint64_t session_of_communicator(uint64_t communicator)
{
    return communicator ? ((const struct mpilens_communicator *)(uintptr_t)communicator)->session : 0;
}

#ifdef HAS_MPI_Session_init

enum { SESSIONS_ASKED = 64, PATIENCE = 10000 };

/* Sessions that can be asked; more than these are not. */
static struct asked {
    MPI_Session handle;
    bool up;
} asked[SESSIONS_ASKED];

static pthread_mutex_t asked_mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t questions; /* under way */

static void asked_add(MPI_Session handle)
{
    pthread_mutex_lock(&asked_mutex);
    for (int i = 0; i < SESSIONS_ASKED; i++)
        if (!asked[i].up) {
            asked[i] = (struct asked){handle, true};
            break;
        }
    pthread_mutex_unlock(&asked_mutex);
}

static void asked_remove(MPI_Session handle)
{
    pthread_mutex_lock(&asked_mutex);
    for (int i = 0; i < SESSIONS_ASKED; i++)
        if (asked[i].up && asked[i].handle == handle)
            asked[i].up = false;
    pthread_mutex_unlock(&asked_mutex);
    /* A question waits for nobody, so it ends soon; if an error handler jumps out of it, it never ends. */
    for (int i = 0; i < PATIENCE && __atomic_load_n(&questions, __ATOMIC_ACQUIRE) > 0; i++)
        sched_yield();
}

static bool asked_any(MPI_Session *ret_handle)
{
    bool found = false;
    pthread_mutex_lock(&asked_mutex);
    for (int i = 0; i < SESSIONS_ASKED && !found; i++)
        if (asked[i].up) {
            *ret_handle = asked[i].handle;
            found = true;
        }
    if (found)
        __atomic_fetch_add(&questions, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&asked_mutex);
    return found;
}

bool session_world_group(MPI_Group *ret_group)
{
    MPI_Session handle;
    if (!asked_any(&handle))
        return false;
    MPI_Group group;
    bool found = mpilens__asked.MPI_Group_from_session_pset(handle, "mpi://WORLD", &group) == MPI_SUCCESS;
    __atomic_fetch_sub(&questions, 1, __ATOMIC_RELEASE);
    if (found)
        *ret_group = group;
    return found;
}

/* The level that the session claims to offer, -1: none. */
static int32_t thread_level_of(MPI_Session handle)
{
    static const char *const names[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                        "MPI_THREAD_MULTIPLE"};
    int32_t level = -1;
#if defined(HAS_MPI_Session_get_info) && defined(HAS_MPI_Info_get)
    MPI_Info info = MPI_INFO_NULL;
    if (mpilens__asked.MPI_Session_get_info(handle, &info) != MPI_SUCCESS || info == MPI_INFO_NULL)
        return level;
    char value[32] = "";
    int found = 0;
    if (mpilens__asked.MPI_Info_get(info, "thread_level", (int)sizeof value - 1, value, &found) == MPI_SUCCESS && found)
        for (int32_t i = 0; i < 4; i++)
            if (strcmp(value, names[i]) == 0)
                level = i;
    mpilens__asked.MPI_Info_free(&info);
#else
    (void)handle;
    (void)names;
#endif
    return level;
}

/* Names of the process sets that it offers now. */
static struct mpilens_texts process_sets_of(MPI_Session handle)
{
    struct mpilens_texts names = {0};
#if defined(HAS_MPI_Session_get_num_psets) && defined(HAS_MPI_Session_get_nth_pset)
    char name[1024];
    int count = 0;
    if (mpilens__asked.MPI_Session_get_num_psets(handle, MPI_INFO_NULL, &count) != MPI_SUCCESS)
        return names;
    for (int i = 0; i < count && texts_are_complete(&names); i++) {
        int bytes = sizeof name;
        if (mpilens__asked.MPI_Session_get_nth_pset(handle, MPI_INFO_NULL, i, &bytes, name) != MPI_SUCCESS)
            break;
        name[sizeof name - 1] = '\0';
        texts_append(&names, name);
    }
    names.count = (uint32_t)count;
#else
    (void)handle;
#endif
    return names;
}

void session_initializing(void)
{
    /* Other threads may call MPI as soon as the real call has returned, before anything here runs. */
    if (!session_threads_multiple())
        threads_set_multiple(true);
}

int32_t session_ask(MPI_Session handle)
{
    int32_t level = thread_level_of(handle);
    /* Only a program that says it has one thread has no other one in MPI. A level that MPI does not offer may be used
     * all the same. */
    if (level != 0)
        __atomic_store_n(&several_threads, true, __ATOMIC_RELAXED);
    asked_add(handle);
    return level;
}

void session_initialized(uint32_t function, uint64_t site, MPI_Errhandler errhandler, MPI_Session handle, int32_t level)
{
    struct mpilens_session *record = object_take(&sessions, HANDLE_VALUE(handle), function, site, 0);
    if (record == NULL)
        return;
    record->buffer = 0;
    record->buffer_bytes = 0;
    record->thread_level = level;
    record->process_sets[0] = process_sets_of(handle);
    record->errhandler = 0;
    errhandler_attach(&record->errhandler, errhandler, MPILENS_ATTACHABLE_SESSION);
    object_publish(&sessions, record);
}

struct mpilens_session *session_finalizing(MPI_Session handle)
{
    asked_remove(handle);
    return session_find(HANDLE_VALUE(handle));
}

void session_finalized(uint32_t function, uint64_t site, struct mpilens_session *record, MPI_Session handle, bool over)
{
    if (over) {
        if (record != NULL)
            errhandler_detach(&record->errhandler);
        object_released(&sessions, record, HANDLE_VALUE(handle), function, site);
    } else if (handle != MPI_SESSION_NULL)
        asked_add(handle);
}

#else

bool session_world_group(MPI_Group *ret_group)
{
    (void)ret_group;
    return false;
}

void session_initializing(void) {}

#endif
