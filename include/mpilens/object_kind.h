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
    static const char *const names[] = {
        [MPILENS_OBJECT_COMMUNICATOR] = "communicator",
        [MPILENS_OBJECT_GROUP] = "group",
        [MPILENS_OBJECT_DATATYPE] = "datatype",
        [MPILENS_OBJECT_OP] = "op",
        [MPILENS_OBJECT_ERRHANDLER] = "errhandler",
        [MPILENS_OBJECT_INFO] = "info",
        [MPILENS_OBJECT_KEYVAL] = "keyval",
        [MPILENS_OBJECT_SESSION] = "session",
        [MPILENS_OBJECT_WINDOW] = "window",
        [MPILENS_OBJECT_FILE] = "file",
        [MPILENS_OBJECT_MESSAGE] = "message",
        [MPILENS_OBJECT_ATTRIBUTE] = "attribute",
        [MPILENS_OBJECT_REQUEST] = "request",
        [MPILENS_OBJECT_STATUS] = "status",
    };
    return kind > MPILENS_OBJECT_NONE && kind <= MPILENS_OBJECT_STATUS ? names[kind] : "object";
}

/* The constant that is its null handle: "MPI_COMM_NULL"; empty where there is none. */
static inline const char *mpilens_null_handle_name(int kind)
{
    static const char *const names[] = {
        [MPILENS_OBJECT_COMMUNICATOR] = "MPI_COMM_NULL",
        [MPILENS_OBJECT_GROUP] = "MPI_GROUP_NULL",
        [MPILENS_OBJECT_DATATYPE] = "MPI_DATATYPE_NULL",
        [MPILENS_OBJECT_OP] = "MPI_OP_NULL",
        [MPILENS_OBJECT_ERRHANDLER] = "MPI_ERRHANDLER_NULL",
        [MPILENS_OBJECT_INFO] = "MPI_INFO_NULL",
        [MPILENS_OBJECT_KEYVAL] = "MPI_KEYVAL_INVALID",
        [MPILENS_OBJECT_SESSION] = "MPI_SESSION_NULL",
        [MPILENS_OBJECT_WINDOW] = "MPI_WIN_NULL",
        [MPILENS_OBJECT_FILE] = "MPI_FILE_NULL",
        [MPILENS_OBJECT_MESSAGE] = "MPI_MESSAGE_NULL",
        [MPILENS_OBJECT_REQUEST] = "MPI_REQUEST_NULL",
        [MPILENS_OBJECT_STATUS] = (const char *)0,
    };
    const char *name = kind > MPILENS_OBJECT_NONE && kind <= MPILENS_OBJECT_STATUS ? names[kind] : (const char *)0;
    return name ? name : "";
}

#endif
