/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constants of every kind, for `mpilens handle`: null and predefined handles; and values that are no handles.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "ask.h"

#define ask_null(kind, type, constant)                                                                                 \
    do {                                                                                                               \
        type null = constant;                                                                                          \
        ask(HANDLE_OF(kind, null),                                                                                     \
            "{\"name\": \"" #constant "\", \"null\": true, \"predefined\": true, \"freed_by_application\": false, "    \
            "\"freed_by_mpi\": false, \"created\": null, \"detail\": null}");                                          \
        ask(#constant, "{\"name\": \"" #constant "\", \"null\": true}");                                               \
    } while (0)
#define ask_predefined(kind, type, constant, detail)                                                                   \
    do {                                                                                                               \
        type predefined = constant;                                                                                    \
        ask(HANDLE_OF(kind, predefined),                                                                               \
            "{\"handle\": \"%s\", \"name\": \"" #constant "\", \"null\": false, \"predefined\": true, "                \
            "\"freed_by_application\": false, \"freed_by_mpi\": false, \"created\": null, \"detail\": {" detail "}}",  \
            TEXT_OF(predefined));                                                                                      \
        ask(#constant, "{\"handle\": \"%s\", \"predefined\": true}", TEXT_OF(predefined));                             \
    } while (0)

static void null_handles(void)
{
    ask_null("comm", MPI_Comm, MPI_COMM_NULL);
    ask_null("datatype", MPI_Datatype, MPI_DATATYPE_NULL);
    ask_null("errhandler", MPI_Errhandler, MPI_ERRHANDLER_NULL);
    ask_null("file", MPI_File, MPI_FILE_NULL);
    ask_null("group", MPI_Group, MPI_GROUP_NULL);
    ask_null("info", MPI_Info, MPI_INFO_NULL);
    ask_null("request", MPI_Request, MPI_REQUEST_NULL);
    ask_null("op", MPI_Op, MPI_OP_NULL);
    ask_null("win", MPI_Win, MPI_WIN_NULL);
    ask_null("message", MPI_Message, MPI_MESSAGE_NULL);
    ask_null("keyval", int, MPI_KEYVAL_INVALID);
#if MPI_VERSION >= 4
    ask_null("session", MPI_Session, MPI_SESSION_NULL);
#endif
}

static void predefined_handles(void)
{
    ask_predefined("comm", MPI_Comm, MPI_COMM_WORLD, "\"size\": 2, \"intercommunicator\": false");
    ask_predefined("comm", MPI_Comm, MPI_COMM_SELF, "\"size\": 1, \"rank\": 0");
    ask_predefined("datatype", MPI_Datatype, MPI_INT, "\"size\": 4, \"committed\": true, \"combiner\": \"named\"");
    ask_predefined("datatype", MPI_Datatype, MPI_DOUBLE_INT, "\"size\": 12, \"extent\": 16");
    ask_predefined("errhandler", MPI_Errhandler, MPI_ERRORS_ARE_FATAL,
                   "\"function\": null, \"attached_to\": {\"any\": "
                   "[]}");
    ask_predefined("errhandler", MPI_Errhandler, MPI_ERRORS_RETURN, "\"function\": null");
    ask_predefined("group", MPI_Group, MPI_GROUP_EMPTY, "\"size\": 0, \"rank\": null, \"ranks\": []");
    ask_predefined("op", MPI_Op, MPI_MAXLOC, "\"function\": null, \"commutative\": true");
    ask_predefined("op", MPI_Op, MPI_REPLACE, "\"function\": null, \"commutative\": false");
    ask_predefined("info", MPI_Info, MPI_INFO_ENV, "");
    ask_predefined("keyval", int, MPI_TAG_UB, "\"object\": \"communicator\"");
    ask_predefined("keyval", int, MPI_WIN_BASE, "\"object\": \"window\"");
}

static void values_that_are_none(void)
{
    static const char *const kinds[] = {"comm", "datatype", "errhandler", "file",   "group",   "info",
                                        "op",   "request",  "win",        "keyval", "message", "session"};
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype type = MPI_INT;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ask_in_vain(ask_value(kinds[i], 0x12345678), "not found");
        ask_in_vain(ask_value(kinds[i], (uint64_t)(uintptr_t)kinds), "not found");
        ask_in_vain(ask_value(kinds[i], UINT64_MAX - 1), "not found");
        if (strcmp(kinds[i], "comm") != 0) {
            ask_in_vain(HANDLE_OF(kinds[i], world), "not found");
        }
        if (strcmp(kinds[i], "datatype") != 0) {
            ask_in_vain(HANDLE_OF(kinds[i], type), "not found");
        }
    }
}

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    const int rank = ask_begin();
    null_handles();
    predefined_handles();
    values_that_are_none();
    ask_end();
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
