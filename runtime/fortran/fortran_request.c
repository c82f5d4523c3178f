/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps the integers of Fortran requests to operations: an array, for libraries give small integers and use them again.
 */
#include "fortran/fortran.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "thread/thread.h"

#include <pthread.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

static pthread_mutex_t requests_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct mpilens_fortran_request *current_array(void)
{
    return (struct mpilens_fortran_request *)(uintptr_t)mpilens_process.fortran_requests;
}

/* Room for this index: in an array of at least twice the size. The old one stays, somebody may be reading it. False: no
 * memory. */
static bool reserve(uint64_t index)
{
    uint64_t count = mpilens_process.fortran_request_count;
    uint64_t capacity = count > 0 ? count : FIRST_CAPACITY;
    if (index < count)
        return true;
    while (capacity <= index)
        capacity *= 2;
    struct mpilens_fortran_request *larger = memory_map_shown(capacity * sizeof *larger);
    if (larger == NULL)
        return false;
    if (count > 0)
        memcpy(larger, current_array(), count * sizeof *larger);
    /* In this order: the count never says more than the array has. */
    __atomic_store_n(&mpilens_process.fortran_requests, (uint64_t)(uintptr_t)larger, __ATOMIC_RELEASE);
    __atomic_store_n(&mpilens_process.fortran_request_count, capacity, __ATOMIC_RELEASE);
    return true;
}

void fortran_request_note(int32_t fortran, uint64_t request, uint64_t posted)
{
    if (fortran < 0)
        return;
    pthread_mutex_lock(&requests_mutex);
    if (reserve((uint64_t)fortran)) {
        struct mpilens_fortran_request *place = &current_array()[fortran];
        __atomic_store_n(&place->posted, 0, __ATOMIC_RELAXED);
        PUBLISH_BARRIER();
        __atomic_store_n(&place->request, request, __ATOMIC_RELAXED);
        __atomic_store_n(&place->posted, posted, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&requests_mutex);
}

void fortran_request_begun(struct thread *thread, uint64_t request)
{
    int32_t fortran;
    if (!fortran_handle_of(MPILENS_OBJECT_REQUEST, request, &fortran))
        return;
    const struct mpilens_operation *operation = request_find(thread, request);
    fortran_request_note(fortran, request, operation != NULL ? operation->posted : 0);
}
