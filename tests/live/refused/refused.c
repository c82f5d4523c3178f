/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 makes calls that MPI refuses, and goes on. None has left a trace in what the runtime keeps of this process,
 * and what all ranks do after them counts the same on all. Prints what is wrong; exit status 0: nothing.
 *
 *   refused FILE    FILE is made and removed
 *   refused FILE return|handlers    prints what rank 0 sees of each call instead, with or without a runtime: the class
 *                                   of the error, and which handlers were called with which classes
 *   refused FILE fatal NUMBER    makes only the call with this number, which ends the job
 */
#include "traces.h"

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 2, TAG = 3, INACTIVE = 2, FRESH = 7 };

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#define PERSISTENT(name) MPIX_##name##_init
#else
#define PERSISTENT(name) MPI_##name##_init
#endif
#if MPI_VERSION >= 4 || defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define HAS_PERSISTENT_COLLECTIVES 1
#else
#define HAS_PERSISTENT_COLLECTIVES 0
#endif

/* The handles in the calls. */
static const struct mpilens_process *root;
static MPI_Comm world, grid, made, no_communicator = MPI_COMM_NULL;
static MPI_Win window, locked, out_of_turn, other_window, no_window = MPI_WIN_NULL;
static MPI_File file, other_file, no_file = MPI_FILE_NULL;
static MPI_Request request, under_way, inactive[INACTIVE + 1], no_request = MPI_REQUEST_NULL;
static MPI_Request partitioned = MPI_REQUEST_NULL;
static MPI_Message message, other_message;
static MPI_Status status;
static char buffer[64], other_buffer[64], *path;
static void *address;
static int flag, place, count;
static int counts[] = {1, 1}, places[] = {0, 1};
static MPI_Aint addresses[] = {0, 4};
static MPI_Datatype types[RANKS], wrong_types[RANKS];

static char *before;
static int failures;
static int chosen, number; /* only the call with this number is made, 0: all are; of how many so far */

static void expect_no_trace(const char *function, int error)
{
    char line[1000];
    char *after = traces_text(root);
    if (error == MPI_SUCCESS) {
        fprintf(stderr, "%s: was not refused\n", function);
        failures++;
    } else if (strcmp(before, after) != 0) {
        int error_class = 0;
        traces_difference(before, after, line, sizeof line);
        MPI_Error_class(error, &error_class);
        fprintf(stderr, "%s, error class %d, has left: %s\n", function, error_class, line);
        failures++;
    }
    free(before);
    before = after;
}

/* Calls of the handlers of communicators, windows and files since the last call of MPI, and the classes that they got.
 */
enum { OF_COMMUNICATOR, OF_WINDOW, OF_FILE, HANDLERS };
static int handled[HANDLERS], classes[HANDLERS];

static void handle(int which, int error)
{
    int error_class = 0;
    MPI_Error_class(error, &error_class);
    handled[which]++;
    classes[which] += error_class;
}

static void handle_of_communicator(MPI_Comm *communicator, int *error, ...)
{
    (void)communicator;
    handle(OF_COMMUNICATOR, *error);
}

static void handle_of_window(MPI_Win *of, int *error, ...)
{
    (void)of;
    handle(OF_WINDOW, *error);
}

static void handle_of_file(MPI_File *of, int *error, ...)
{
    (void)of;
    handle(OF_FILE, *error);
}

static void set_errhandlers(MPI_Errhandler of_communicators, MPI_Errhandler of_windows, MPI_Errhandler of_files)
{
    MPI_Comm_set_errhandler(world, of_communicators);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, of_communicators);
    MPI_Comm_set_errhandler(grid, of_communicators);
    MPI_Win_set_errhandler(window, of_windows);
    MPI_Win_set_errhandler(locked, of_windows);
    MPI_File_set_errhandler(file, of_files);
    MPI_File_set_errhandler(MPI_FILE_NULL, of_files);
}

static void set_handlers(void)
{
    MPI_Errhandler communicators, windows, files;
    MPI_Comm_create_errhandler(handle_of_communicator, &communicators);
    MPI_Win_create_errhandler(handle_of_window, &windows);
    MPI_File_create_errhandler(handle_of_file, &files);
    set_errhandlers(communicators, windows, files);
    MPI_Errhandler_free(&communicators);
    MPI_Errhandler_free(&windows);
    MPI_Errhandler_free(&files);
}

static void tell(const char *function, int error)
{
    int error_class = 0;
    MPI_Error_class(error, &error_class);
    printf("%s: class %d", function, error_class);
    for (int i = 0; i < HANDLERS; i++)
        printf(", %d calls with %d", handled[i], classes[i]);
    printf("\n");
    memset(handled, 0, sizeof handled);
    memset(classes, 0, sizeof classes);
}

static bool is_chosen(void)
{
    number++;
    return chosen == 0 || number == chosen;
}

static void make_refused_calls(void (*look)(const char *function, int error))
{
#define REFUSED(function, arguments)                                                                                   \
    if (is_chosen())                                                                                                   \
        look(#function, function arguments);
#if HAS_PERSISTENT_COLLECTIVES
#define COLLECTIVE(blocking, nonblocking, ...)                                                                         \
    REFUSED(MPI_##blocking, (__VA_ARGS__))                                                                             \
    REFUSED(MPI_##nonblocking, (__VA_ARGS__, &request))                                                                \
    REFUSED(PERSISTENT(blocking), (__VA_ARGS__, MPI_INFO_NULL, &request))
#else
#define COLLECTIVE(blocking, nonblocking, ...)                                                                         \
    REFUSED(MPI_##blocking, (__VA_ARGS__))                                                                             \
    REFUSED(MPI_##nonblocking, (__VA_ARGS__, &request))
#endif
#include "refused_calls.def"
}

/* Makes calls of templates that only keep objects: nothing that the other ranks count could go wrong. */
static void make_other_calls(void)
{
    MPI_Datatype type, no_type = MPI_DATATYPE_NULL;
    MPI_Group group, no_group = MPI_GROUP_NULL;
    MPI_Op no_op = MPI_OP_NULL;
    MPI_Info info, no_info = MPI_INFO_NULL;
    MPI_Errhandler no_errhandler = MPI_ERRHANDLER_NULL;
    int no_keyval = MPI_KEYVAL_INVALID;
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    void (*look)(const char *, int) = tell;
#include "other_calls.def"
}

static void make_windows(void)
{
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, world, &window);
    MPI_Win_create(other_buffer, sizeof other_buffer, 1, MPI_INFO_NULL, world, &locked);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(locked, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, locked);
#ifdef OPEN_MPI
    out_of_turn = no_window; /* it takes such calls on a window at any time */
#else
    out_of_turn = window;
#endif
}

static void free_windows(void)
{
    MPI_Win_unlock_all(locked);
    MPI_Win_free(&locked);
    MPI_Win_free(&window);
}

/* Rank 0 has a message at hand, and requests of all kinds. */
static void make_requests(int rank)
{
    if (rank != 0) {
        MPI_Send(buffer, 1, MPI_INT, 0, TAG, world);
        return;
    }
    MPI_Mprobe(1, TAG, world, &message, &status);
    MPI_Irecv(other_buffer, 1, MPI_INT, 1, TAG, world, &under_way);
    MPI_Send_init(buffer, 1, MPI_INT, 1, TAG, world, &inactive[0]);
#if HAS_PERSISTENT_COLLECTIVES
    PERSISTENT(Barrier)(MPI_COMM_SELF, MPI_INFO_NULL, &inactive[1]);
#else
    MPI_Recv_init(buffer, 1, MPI_INT, 1, TAG, world, &inactive[1]);
#endif
    inactive[INACTIVE] = MPI_REQUEST_NULL;
#if MPI_VERSION >= 4
    MPI_Psend_init(buffer, 2, 1, MPI_INT, 1, TAG + 1, world, MPI_INFO_NULL, &partitioned);
#endif
}

static void free_requests(int rank)
{
    if (rank != 0) {
        MPI_Send(buffer, 1, MPI_INT, 0, TAG, world);
        return;
    }
    MPI_Mrecv(buffer, 1, MPI_INT, &message, &status);
    MPI_Wait(&under_way, &status);
    for (int i = 0; i < INACTIVE; i++)
        MPI_Request_free(&inactive[i]);
    if (partitioned != MPI_REQUEST_NULL)
        MPI_Request_free(&partitioned);
}

static void make_objects(int rank)
{
    world = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Cart_create(world, 1, (int[]){RANKS}, (int[]){1}, 0, &grid);
    MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
    for (int i = 0; i < RANKS; i++) {
        types[i] = MPI_INT;
        wrong_types[i] = MPI_DATATYPE_NULL;
    }
    make_windows();
    MPI_File_open(world, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    make_requests(rank);
}

static void free_objects(int rank)
{
    free_requests(rank);
    MPI_File_close(&file);
    free_windows();
    MPI_Comm_free(&grid);
}

static uint64_t id_of_newest_communicator(void)
{
    const struct mpilens_communicator *record = traces_newest(root, MPILENS_TABLE_COMMUNICATORS);
    return record->unique_id;
}

/* Makes one object of everything that has an id, on all ranks, and the calls on the world. */
static void make_fresh_ones(uint64_t *ret_numbers)
{
    MPI_Comm fresh;
    MPI_Win fresh_window;
    MPI_File fresh_file;
    MPI_Group group;
    MPI_Comm_dup(world, &fresh);
    ret_numbers[0] = id_of_newest_communicator();
    MPI_Comm_free(&fresh);
    MPI_Comm_split(world, 0, 0, &fresh);
    ret_numbers[1] = id_of_newest_communicator();
    MPI_Comm_free(&fresh);
    MPI_Comm_group(world, &group);
    MPI_Comm_create_group(world, group, 5, &fresh);
    ret_numbers[2] = id_of_newest_communicator();
    MPI_Comm_free(&fresh);
    MPI_Group_free(&group);
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, world, &fresh_window);
    ret_numbers[3] = ((const struct mpilens_window *)traces_newest(root, MPILENS_TABLE_WINDOWS))->unique_id;
    MPI_Win_free(&fresh_window);
    MPI_File_open(world, path, MPI_MODE_RDWR, MPI_INFO_NULL, &fresh_file);
    ret_numbers[4] = ((const struct mpilens_file *)traces_newest(root, MPILENS_TABLE_FILES))->unique_id;
    MPI_File_close(&fresh_file);
    ret_numbers[5] = traces_world(root)->collective_count;
    ret_numbers[6] = traces_world(root)->children;
}

int main(int argc, char **argv)
{
    int rank;
    uint64_t own[FRESH], of_all[RANKS][FRESH];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    root = traces_root();
    path = argv[1];
    const bool tells = argc >= 3;
    if ((!root && !tells) || argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    setvbuf(stdout, NULL, _IOLBF, 0); /* also what comes before a crash */
    make_objects(rank);
    if (tells && strcmp(argv[2], "handlers") == 0)
        set_handlers();
    if (argc == 4) {
        chosen = atoi(argv[3]);
        set_errhandlers(MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ARE_FATAL);
    }
    if (rank == 0 && !tells)
        before = traces_text(root);
    if (rank == 0)
        make_refused_calls(tells ? tell : expect_no_trace);
    if (rank == 0 && tells)
        make_other_calls();
    free(before);
    if (tells) {
        free_objects(rank);
        MPI_Finalize();
        return 0;
    }
    MPI_Barrier(world);
    make_fresh_ones(own);
    MPI_Allgather(own, FRESH, MPI_UINT64_T, of_all, FRESH, MPI_UINT64_T, world);
    for (int i = 0; rank == 0 && i < FRESH; i++)
        if (of_all[0][i] != of_all[1][i]) {
            fprintf(stderr, "number %d differs between the ranks\n", i);
            failures++;
        }
    free_objects(rank);
    MPI_Finalize();
    return failures > 0;
}
