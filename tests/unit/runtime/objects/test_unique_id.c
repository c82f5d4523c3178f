/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of communicators that all members derive without asking each other.
 */
#include "constructors.h"
#include "inside.h"
#include "ranks.h"

#include <criterion/criterion.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* The objects of a rank: each rank runs in a process of its own. */
enum { MADE = 12, RANKS = 4 };

static uint64_t (*ids)[MADE];

static void make_all(int rank)
{
    static const int even[] = {0, 2}, odd[] = {1, 3}, low[] = {0, 1}, high[] = {2, 3};
    const int *half = rank % 2 ? odd : even;
    MPI_Comm made[MADE], inter;
    fake_communicator_define((MPI_Comm)0x84000012, half, 2, NULL, 0);
    fake_communicator_define((MPI_Comm)0x84000013, rank < 2 ? low : high, 2, NULL, 0);
    fake_communicator_define((MPI_Comm)0x84000014, rank < 2 ? low : high, 2, rank < 2 ? high : low, 2);
    fake_communicator_define((MPI_Comm)0x84000015, half, 2, NULL, 0);
    fake_communicator_define((MPI_Comm)0x84000016, half, 2, NULL, 0);
    made[0] = duplicate_as(MPI_COMM_WORLD, 0x84000200 + rank);
    made[1] = duplicate_as(MPI_COMM_WORLD, 0x84000300 + rank);
    made[2] = split_as(MPI_COMM_WORLD, 0x84000012);
    made[3] = split_as(MPI_COMM_WORLD, 0x84000013);
    made[4] = duplicate_as(made[2], 0x84000030);
    fake.communicator = (MPI_Comm)0x84000014;
    MPI_Intercomm_create(made[3], 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 77, &inter);
    made[5] = inter;
    fake.communicator = (MPI_Comm)0x84000040;
    MPI_Intercomm_merge(inter, rank < 2, &made[6]);
    fake.communicator = (MPI_Comm)0x84000015;
    MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 5, &made[7]);
    fake.communicator = (MPI_Comm)0x84000016;
    MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 5, &made[8]);
    /* Only some ranks make more of their own: it must not put the others out of step. */
    for (int i = 0; i < rank; i++)
        duplicate_as(MPI_COMM_SELF, 0x84000100 + i);
    made[9] = duplicate_as(MPI_COMM_WORLD, 0x84000050);
    made[10] = duplicate_as(MPI_COMM_SELF, 0x84000060);
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000070;
    MPI_Comm_idup(MPI_COMM_WORLD, &made[11], &request);
    for (int i = 0; i < MADE; i++)
        ids[rank][i] = shadow_communicator(made[i])->unique_id;
}

Test(unique_id, is_the_same_at_all_members_and_at_nobody_else)
{
    ids = shared_by_ranks(RANKS * sizeof *ids);
    run_ranks(RANKS, make_all);
    static const int everybody[] = {0, 1, 5, 6, 9, 11};
    for (size_t i = 0; i < sizeof everybody / sizeof everybody[0]; i++)
        for (int rank = 1; rank < RANKS; rank++)
            cr_assert_eq(ids[rank][everybody[i]], ids[0][everybody[i]], "communicator %d", everybody[i]);
    static const int halves[] = {2, 4, 7, 8};
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        cr_assert_eq(ids[0][halves[i]], ids[2][halves[i]]);
        cr_assert_eq(ids[1][halves[i]], ids[3][halves[i]]);
        cr_assert_neq(ids[0][halves[i]], ids[1][halves[i]]);
    }
    cr_assert_eq(ids[0][3], ids[1][3]);
    cr_assert_eq(ids[2][3], ids[3][3]);
    cr_assert_neq(ids[0][3], ids[2][3]);
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < MADE; i++) {
            cr_assert(ids[rank][i] > 2 && ids[rank][i] < UINT64_C(1) << 63);
            for (int k = 0; k < i; k++)
                cr_assert_neq(ids[rank][i], ids[rank][k], "%d and %d of rank %d", i, k, rank);
        }
    cr_assert_neq(ids[0][10], ids[1][10], "of MPI_COMM_SELF");
}

static void refuse_next(int error_class)
{
    fake.error = FAKE_ERROR(error_class);
    fake.error_is_early = true;
}

/* On rank 0 MPI refuses one of each that counts on the communicator. */
static void make_some_twice(int rank)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    if (rank == 0) {
        refuse_next(MPI_ERR_ARG);
        MPI_Comm_split(MPI_COMM_WORLD, -7, 0, &made);
        refuse_next(MPI_ERR_COMM);
        MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
        refuse_next(MPI_ERR_ROOT);
        MPI_Comm_accept("port", MPI_INFO_NULL, 99, MPI_COMM_WORLD, &made);
        refuse_next(MPI_ERR_SIZE);
        MPI_Win_create(NULL, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        refuse_next(MPI_ERR_AMODE);
        MPI_File_open(MPI_COMM_WORLD, "data", 0, MPI_INFO_NULL, &file);
    }
    fake.error = FAKE_ERROR(MPI_ERR_OTHER); /* all have taken part */
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    ids[rank][0] = shadow_communicator(duplicate_as(MPI_COMM_WORLD, 0x84000200 + rank))->unique_id;
    ids[rank][1] = shadow_communicator(MPI_COMM_WORLD)->children;
}

Test(unique_id, is_the_same_where_mpi_has_refused_other_constructors)
{
    ids = shared_by_ranks(RANKS * sizeof *ids);
    run_ranks(2, make_some_twice);
    cr_assert_eq(ids[0][0], ids[1][0]);
    cr_assert_eq(ids[0][1], 2);
}

/* Two connected sockets. */
static void connect_sockets(int *ret_ends)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&address, &bytes), 0);
    ret_ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(ret_ends[0], (struct sockaddr *)&address, sizeof address), 0);
    ret_ends[1] = accept(listener, NULL, NULL);
    cr_assert_geq(ret_ends[1], 0);
    close(listener);
}

static int ends[2];

/* One side of meetings of ranks 0 and 1 with ranks 2 and 3: of one world, then of two worlds. */
static void meet(int rank)
{
    static const int low[] = {0, 1}, high[] = {2, 3}, self[] = {0}, unknown[] = {-1, -1};
    MPI_Comm made[6];
    bool is_low = rank < 2;
    fake_communicator_define((MPI_Comm)0x84000010, is_low ? low : high, 2, NULL, 0);
    for (int i = 0; i < 2; i++)
        fake_communicator_define((MPI_Comm)(0x84000011 + i), is_low ? low : high, 2, is_low ? high : low, 2);
    for (int i = 0; i < 3; i++)
        fake_communicator_define((MPI_Comm)(0x84000013 + i), self, 1, unknown, 1);
    MPI_Comm half = split_as(MPI_COMM_WORLD, 0x84000010);
    for (int i = 0; i < 2; i++) {
        if (rank >= 2) /* constructors of one side's own do not matter */
            duplicate_as(half, 0x84000020 + i);
        fake.communicator = (MPI_Comm)(0x84000011 + i);
        if (is_low)
            MPI_Comm_accept(rank == 0 ? "port" : NULL, MPI_INFO_NULL, 0, half, &made[i]);
        else
            MPI_Comm_connect(rank == 2 ? "port" : NULL, MPI_INFO_NULL, 0, half, &made[i]);
    }
    for (int i = 0; i < 2; i++) {
        fake.communicator = (MPI_Comm)(0x84000013 + i);
        MPI_Comm_join(ends[is_low], &made[2 + i]);
    }
    fake.communicator = (MPI_Comm)0x84000015;
    MPI_Comm_join(-1, &made[4]);
    for (int i = 0; i < 5; i++)
        ids[rank][i] = shadow_communicator(made[i])->unique_id;
}

Test(unique_id, is_the_same_on_both_sides_where_both_can_know_it)
{
    connect_sockets(ends);
    ids = shared_by_ranks(RANKS * sizeof *ids);
    run_ranks(RANKS, meet);
    for (int i = 0; i < 4; i++) {
        for (int rank = 1; rank < RANKS; rank++)
            cr_assert_eq(ids[rank][i], ids[0][i], "meeting %d, rank %d", i, rank);
        for (int k = 0; k < i; k++)
            cr_assert_neq(ids[0][i], ids[0][k], "meetings %d and %d", i, k);
    }
}
