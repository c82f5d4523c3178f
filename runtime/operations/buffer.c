/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records the buffers attached for buffered sends.
 */
#include "operations/operations.h"

#include "memory/memory.h"
#include "objects/objects.h"

/* A reader sees a buffer with its size, or none. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is stored to */
static void set_buffer(uint64_t *field, uint64_t *field_bytes, const void *buffer, uint64_t bytes)
{
    __atomic_store_n(field, 0, __ATOMIC_RELEASE);
    PUBLISH_BARRIER();
    *field_bytes = bytes;
    __atomic_store_n(field, (uint64_t)(uintptr_t)buffer, __ATOMIC_RELEASE);
}

void process_buffer_attached(const void *buffer, uint64_t bytes)
{
    set_buffer(&mpilens_process.buffer, &mpilens_process.buffer_bytes, buffer, bytes);
}

void session_buffer_attached(uint64_t handle, const void *buffer, uint64_t bytes)
{
    struct mpilens_session *session = session_find(handle);
    if (session != NULL)
        set_buffer(&session->buffer, &session->buffer_bytes, buffer, bytes);
}

struct mpilens_operation *buffer_flush_start(struct thread *thread, uint32_t function, uint64_t site,
                                             const struct mpilens_communicator *communicator)
{
    const struct request_operation begun = {.site = site,
                                            .communicator = (uint64_t)(uintptr_t)communicator,
                                            .peer = -1,
                                            .function = function,
                                            .flags = MPILENS_OPERATION_BUFFER,
                                            .state = MPILENS_OPERATION_PENDING};
    call_begin_other(thread, function, site, communicator);
    struct mpilens_operation *operation = request_operation_begin(thread, &begun);
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    return operation;
}
