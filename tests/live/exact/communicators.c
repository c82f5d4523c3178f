/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators that are made and freed while messages wait: communicators ROUNDS [SEED]. In every round, the ranks
 * send on a communicator, make another one of it, send on that, too, and receive what was sent, in either order; then
 * one of both goes. Messages of a source and tag must come in the order in which they were sent. Rank 0 prints a sum of
 * all.
 */
#define _GNU_SOURCE
#include "unexpected_table.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most_ranks = 4, most_messages = 5, tags = 3, ways = 10, tag_of_group = 77, tag_of_leaders = 78 };

static const struct mpilens_process *process;
static int rank, round_number, sightings;
static uint64_t common, own; /* states of what is drawn: by all alike, and by each for itself */

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

/* Sometimes, for some time, during which the runtime may act. */
static void pause_perhaps(uint32_t one_of)
{
    const struct timespec time = {0, (long)draw(&own, 3000) * 1000};
    if (draw(&own, one_of) != 0)
        return;
    nanosleep(&time, NULL);
    if (process != NULL)
        sightings += unexpected_count(process, MPILENS_OBJECT_LIVE, NULL) > 0;
}

static MPI_Comm merge_halves(MPI_Comm communicator, int number)
{
    MPI_Comm half, inter, merged;
    MPI_Comm_split(communicator, number % 2, number, &half);
    MPI_Intercomm_create(half, 0, communicator, 1 - number % 2, tag_of_leaders, &inter);
    pause_perhaps(2);
    MPI_Intercomm_merge(inter, number % 2, &merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return merged;
}

static MPI_Comm make(MPI_Comm communicator, uint32_t way)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group group;
    MPI_Request request;
    int number, size;
    MPI_Comm_rank(communicator, &number);
    MPI_Comm_size(communicator, &size);
    const int periodic = 1, one = 1, left = (number + size - 1) % size, right = (number + 1) % size;
    MPI_Comm_group(communicator, &group);
    switch (way) {
    case 0:
        MPI_Comm_dup(communicator, &made);
        break;
    case 1:
        MPI_Comm_idup(communicator, &made, &request);
        pause_perhaps(2);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Comm_split(communicator, 0, -number, &made);
        break;
    case 3:
        MPI_Comm_create(communicator, group, &made);
        break;
    case 4:
        MPI_Comm_create_group(communicator, group, tag_of_group, &made);
        break;
    case 5:
        made = merge_halves(communicator, number);
        break;
    case 6:
        MPI_Cart_create(communicator, 1, &size, &periodic, 0, &made);
        break;
    case 7:
        MPI_Dist_graph_create_adjacent(communicator, 1, &left, &one, 1, &right, &one, MPI_INFO_NULL, 0, &made);
        break;
    case 8:
        MPI_Dist_graph_create(communicator, 1, &number, &one, &right, &one, MPI_INFO_NULL, 0, &made);
        break;
    default:
        MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    }
    MPI_Group_free(&group);
    return made;
}

/* Sends that are not over yet. */
static int values[2 * most_messages * most_ranks];
static MPI_Request requests[2 * most_messages * most_ranks];
static int sent;

static void send_some(MPI_Comm communicator, int count)
{
    int number, size;
    MPI_Comm_rank(communicator, &number);
    MPI_Comm_size(communicator, &size);
    for (int i = 0; i < count; i++)
        for (int target = 0; target < size; target++, sent++) {
            values[sent] = (round_number * most_ranks + number) * most_messages + i;
            (i % 2 == 0 ? MPI_Isend : MPI_Issend)(&values[sent], 1, MPI_INT, target, i % tags, communicator,
                                                  &requests[sent]);
        }
}

static int receive_one(MPI_Comm communicator, MPI_Status *ret_status)
{
    int value = -1;
    MPI_Request request;
    switch (draw(&own, 3)) {
    case 0:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, ret_status);
        break;
    case 1:
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &request);
        MPI_Wait(&request, ret_status);
        break;
    default:
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, ret_status);
        pause_perhaps(2);
        MPI_Recv(&value, 1, MPI_INT, ret_status->MPI_SOURCE, ret_status->MPI_TAG, communicator, ret_status);
    }
    return value;
}

static uint64_t receive_all(MPI_Comm communicator, int count)
{
    int size, last[most_ranks][tags];
    uint64_t sum = 0;
    MPI_Comm_size(communicator, &size);
    for (int i = 0; i < most_ranks * tags; i++)
        last[i / tags][i % tags] = -1;
    for (int i = 0; i < count * size; i++) {
        MPI_Status status;
        pause_perhaps(8);
        const int value = receive_one(communicator, &status), number = value % most_messages;
        if (value / most_messages != round_number * most_ranks + status.MPI_SOURCE || number % tags != status.MPI_TAG ||
            number <= last[status.MPI_SOURCE][status.MPI_TAG]) {
            fprintf(stderr, "round %d, rank %d: value %d\n", round_number, rank, value);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        last[status.MPI_SOURCE][status.MPI_TAG] = number;
        sum += (uint64_t)value;
    }
    return sum;
}

static uint64_t do_round(MPI_Comm *communicator)
{
    MPI_Status statuses[2 * most_messages * most_ranks];
    const int before = 1 + (int)draw(&common, most_messages), after = 1 + (int)draw(&common, most_messages);
    uint64_t sum = 0;
    sent = 0;
    send_some(*communicator, before);
    pause_perhaps(2);
    MPI_Comm made = make(*communicator, draw(&common, ways));
    send_some(made, after);
    pause_perhaps(2);
    if (draw(&own, 2) == 0)
        sum = receive_all(*communicator, before) + receive_all(made, after);
    else
        sum = receive_all(made, after) + receive_all(*communicator, before);
    MPI_Waitall(sent, requests, statuses);
    MPI_Barrier(*communicator);
    const int stays = draw(&common, 3) != 0;
    MPI_Comm_free(stays ? &made : communicator);
    *communicator = stays ? *communicator : made;
    return sum;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 10;
    int size, seen = 0;
    uint64_t sum = 0, all = 0;
    MPI_Comm communicator;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > most_ranks)
        MPI_Abort(MPI_COMM_WORLD, 2);
    process = exact_process();
    common = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    own = common * 7919 + (uint64_t)rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    for (round_number = 0; round_number < rounds; round_number++)
        sum += do_round(&communicator);
    MPI_Comm_free(&communicator);
    MPI_Reduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sightings, &seen, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && process != NULL && seen == 0) {
        fprintf(stderr, "no message was ever seen in the table\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (rank == 0)
        printf("%llu\n", (unsigned long long)all);
    MPI_Finalize();
    return 0;
}
