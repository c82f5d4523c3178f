/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kinds of what an opaque handle can name.
 */
#ifndef MPILENS_OBJECT_KIND_H
#define MPILENS_OBJECT_KIND_H

enum mpilens_object_kind {
    MPILENS_OBJECT_NONE,
    MPILENS_OBJECT_COMMUNICATOR,
    MPILENS_OBJECT_GROUP,
    MPILENS_OBJECT_DATATYPE,
    MPILENS_OBJECT_OP,
    MPILENS_OBJECT_ERRHANDLER,
    MPILENS_OBJECT_INFO,
    MPILENS_OBJECT_KEYVAL,
    MPILENS_OBJECT_SESSION,
    MPILENS_OBJECT_WINDOW,
    MPILENS_OBJECT_FILE,
    MPILENS_OBJECT_MESSAGE,   /* has no serial */
    MPILENS_OBJECT_ATTRIBUTE, /* has no serial and no handle */
    MPILENS_OBJECT_KIND_COUNT,
    /* Named by handles, but no objects with a record of their own. */
    MPILENS_OBJECT_REQUEST = MPILENS_OBJECT_KIND_COUNT,
    MPILENS_OBJECT_STATUS, /* named by its address */
};

/* What it is called: "communicator"; "object" where there is no such kind. */
static inline const char *mpilens_object_kind_name(int kind)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return "communicator";
    case MPILENS_OBJECT_GROUP:
        return "group";
    case MPILENS_OBJECT_DATATYPE:
        return "datatype";
    case MPILENS_OBJECT_OP:
        return "op";
    case MPILENS_OBJECT_ERRHANDLER:
        return "errhandler";
    case MPILENS_OBJECT_INFO:
        return "info";
    case MPILENS_OBJECT_KEYVAL:
        return "keyval";
    case MPILENS_OBJECT_SESSION:
        return "session";
    case MPILENS_OBJECT_WINDOW:
        return "window";
    case MPILENS_OBJECT_FILE:
        return "file";
    case MPILENS_OBJECT_MESSAGE:
        return "message";
    case MPILENS_OBJECT_ATTRIBUTE:
        return "attribute";
    case MPILENS_OBJECT_REQUEST:
        return "request";
    case MPILENS_OBJECT_STATUS:
        return "status";
    default:
        return "object";
    }
}

/* The constant that is its null handle: "MPI_COMM_NULL"; empty where there is none. */
static inline const char *mpilens_null_handle_name(int kind)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return "MPI_COMM_NULL";
    case MPILENS_OBJECT_GROUP:
        return "MPI_GROUP_NULL";
    case MPILENS_OBJECT_DATATYPE:
        return "MPI_DATATYPE_NULL";
    case MPILENS_OBJECT_OP:
        return "MPI_OP_NULL";
    case MPILENS_OBJECT_ERRHANDLER:
        return "MPI_ERRHANDLER_NULL";
    case MPILENS_OBJECT_INFO:
        return "MPI_INFO_NULL";
    case MPILENS_OBJECT_KEYVAL:
        return "MPI_KEYVAL_INVALID";
    case MPILENS_OBJECT_SESSION:
        return "MPI_SESSION_NULL";
    case MPILENS_OBJECT_WINDOW:
        return "MPI_WIN_NULL";
    case MPILENS_OBJECT_FILE:
        return "MPI_FILE_NULL";
    case MPILENS_OBJECT_MESSAGE:
        return "MPI_MESSAGE_NULL";
    case MPILENS_OBJECT_REQUEST:
        return "MPI_REQUEST_NULL";
    default:
        return "";
    }
}

#endif
