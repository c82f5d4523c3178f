/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends both halves of an exchange, and packs what is sent out of the buffer of the receive.
 */
#include "api/api_internal.h"

#include "memory/memory.h"

#include <limits.h>

/* Packing counts in the type that this MPI has for it. */
#ifdef HAS_MPI_Pack_c
typedef MPI_Count packed_count;
#define MOST_PACKED INT64_MAX
#define PACK_SIZE   mpilens__next.MPI_Pack_size_c
#define PACK        mpilens__next.MPI_Pack_c
#define ISSEND      mpilens__next.MPI_Issend_c
#define ISEND       mpilens__library.MPI_Isend_c
#else
typedef int packed_count;
#define MOST_PACKED INT_MAX
#define PACK_SIZE   mpilens__next.MPI_Pack_size
#define PACK        mpilens__next.MPI_Pack
#define ISSEND      mpilens__next.MPI_Issend
#define ISEND       mpilens__library.MPI_Isend
#endif

int exchange_end(int error, MPI_Request *send, MPI_Request *receive, MPI_Status *status)
{
    if (error != MPI_SUCCESS) {
        if (*receive != MPI_REQUEST_NULL) {
            mpilens__next.MPI_Cancel(receive);
            mpilens__next.MPI_Wait(receive, MPI_STATUS_IGNORE);
        }
        return error;
    }
    if (*receive != MPI_REQUEST_NULL)
        error = mpilens__next.MPI_Wait(receive, status);
    const int error_of_send = mpilens__next.MPI_Wait(send, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS ? error : error_of_send;
}

/* Whether this MPI can say how many bytes that is. */
static bool can_be_packed(MPI_Count count, MPI_Datatype datatype)
{
    MPI_Count size = 0;
    if (count <= 0 || datatype == MPI_DATATYPE_NULL) /* MPI says what is wrong */
        return true;
    return mpilens__next.MPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size <= 0 ||
           count <= (MOST_PACKED - 4096) / size;
}

int packed_copy_make(struct packed_copy *ret_copy, const void *buffer, MPI_Count count, MPI_Datatype datatype,
                     MPI_Comm communicator)
{
    struct packed_copy copy = {.bytes = -1};
    packed_count most = 0, bytes = 0;
    int error = MPI_SUCCESS;
    if (can_be_packed(count, datatype)) {
        error = PACK_SIZE((packed_count)count, datatype, communicator, &most);
        if (error == MPI_SUCCESS && memory_reserve(&copy.memory, &copy.memory_bytes, (size_t)most + 1)) {
            error = PACK(buffer, (packed_count)count, datatype, copy.memory, most, &bytes, communicator);
            copy.bytes = bytes;
        }
    }
    if (error == MPI_SUCCESS)
        *ret_copy = copy;
    else
        packed_copy_clear(&copy);
    return error;
}

int packed_copy_send(const struct packed_copy *copy, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_send)
{
    return ISSEND(copy->memory, (packed_count)copy->bytes, MPI_PACKED, peer, tag, communicator, ret_send);
}

int packed_copy_start(const struct packed_copy *copy, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_send)
{
    return ISEND(copy->memory, (packed_count)copy->bytes, MPI_PACKED, peer, tag, communicator, ret_send);
}

void packed_copy_clear(struct packed_copy *copy)
{
    memory_unmap(copy->memory, copy->memory_bytes);
}
