/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells by the error code whether MPI refused a call.
 */
#include "thread/thread.h"

#include "mpi/functions.h"

/* Others come while a call is under way (a message was too long, a file is not there), or tell too little. */
bool refusal_is(int error)
{
    int error_class = MPI_ERR_OTHER;
    mpilens__asked.MPI_Error_class(error, &error_class);
    switch (error_class) {
    case MPI_ERR_AMODE:
    case MPI_ERR_ARG:
    case MPI_ERR_ASSERT:
    case MPI_ERR_BASE:
    case MPI_ERR_BUFFER:
    case MPI_ERR_COMM:
    case MPI_ERR_COUNT:
    case MPI_ERR_DIMS:
    case MPI_ERR_DISP:
    case MPI_ERR_FILE:
    case MPI_ERR_GROUP:
    case MPI_ERR_INFO:
    case MPI_ERR_INFO_KEY:
    case MPI_ERR_INFO_NOKEY:
    case MPI_ERR_INFO_VALUE:
    case MPI_ERR_KEYVAL:
    case MPI_ERR_LOCKTYPE:
    case MPI_ERR_OP:
    case MPI_ERR_RANK:
    case MPI_ERR_REQUEST:
    case MPI_ERR_RMA_ATTACH:
    case MPI_ERR_RMA_CONFLICT:
    case MPI_ERR_RMA_FLAVOR:
    case MPI_ERR_RMA_RANGE:
    case MPI_ERR_RMA_SHARED:
    case MPI_ERR_RMA_SYNC:
    case MPI_ERR_ROOT:
    case MPI_ERR_SIZE:
    case MPI_ERR_TAG:
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_TYPE:
    case MPI_ERR_UNSUPPORTED_DATAREP:
    case MPI_ERR_UNSUPPORTED_OPERATION:
    case MPI_ERR_WIN:
        return true;
    default:
        return false;
    }
}
