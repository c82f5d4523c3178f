/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 makes calls that MPI refuses, and goes on. None has left a trace in what the runtime keeps of this process,
 * and what all ranks do after them counts the same on all. Prints what is wrong; exit status 0: nothing.
 *
 *   refused FILE    FILE is made and removed
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

#ifdef OPEN_MPI
#define PERSISTENT(name) MPIX_##name##_init
#else
#define PERSISTENT(name) MPI_##name##_init
#endif
#if MPI_VERSION >= 4 || defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define HAS_PERSISTENT_COLLECTIVES 1
#else
#define HAS_PERSISTENT_COLLECTIVES 0
#endif

/* What the calls name. */
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

static void make_refused_calls(void)
{
    before = traces_text(root);
#define REFUSED(function, arguments) expect_no_trace(#function, function arguments);
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
    free(before);
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

/* Of everything that has an id: what all ranks make now. And the calls on the world. */
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
    if (!root || argc != 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    make_objects(rank);
    if (rank == 0)
        make_refused_calls();
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
