/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many messages of each rank have arrived that nobody asks for: as Open MPI says in a performance variable, or,
 * where the runtime takes messages out, as its table says. Both must be the same.
 */
#define _GNU_SOURCE
#include "unexpected_table.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_ranks = 8, most_rounds = 2000, most_bytes = 20000, received = 2 };

static const struct mpilens_process *process;
static int rank, size;
static unsigned lengths[most_ranks];
static MPI_T_pvar_session session;
static MPI_T_pvar_handle variable;

static void find_variable(MPI_Comm communicator)
{
    int count = 0, threads, values;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &threads);
    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        char name[200], description[400];
        int name_length = sizeof name, description_length = sizeof description;
        int verbosity, class, binding, is_read_only, is_continuous, is_atomic;
        MPI_Datatype type;
        MPI_T_enum words;
        if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &type, &words, description,
                                &description_length, &binding, &is_read_only, &is_continuous,
                                &is_atomic) != MPI_SUCCESS ||
            strcmp(name, "pml_ob1_unexpected_msgq_length") != 0)
            continue;
        MPI_T_pvar_session_create(&session);
        MPI_T_pvar_handle_alloc(session, i, &communicator, &variable, &values);
        if (!is_continuous)
            MPI_T_pvar_start(session, variable);
        if (values == size)
            return;
    }
    fprintf(stderr, "this Open MPI has no such variable\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void count_record(const struct mpilens_unexpected *record)
{
    lengths[record->source]++;
}

static unsigned read_lengths(void)
{
    unsigned all = 0;
    memset(lengths, 0, sizeof lengths);
    if (process != NULL)
        unexpected_count(process, MPILENS_OBJECT_LIVE, count_record);
    else
        MPI_T_pvar_read(session, variable, lengths);
    for (int i = 0; i < size; i++)
        all += lengths[i];
    return all;
}

/* Rank r sends 7 r messages of different sizes and modes; nobody asks for them yet. */
static void send_all(MPI_Comm communicator)
{
    static char bytes[most_bytes];
    MPI_Request requests[7 * most_ranks];
    MPI_Status statuses[7 * most_ranks];
    for (int i = 0; i < 7 * rank; i++)
        (i % 3 == 0 ? MPI_Issend : MPI_Isend)(bytes, i % 5 == 0 ? most_bytes : i, MPI_BYTE, 0, i % 4, communicator,
                                              &requests[i]);
    MPI_Waitall(7 * rank, requests, statuses);
}

static void print_lengths(const char *when)
{
    printf("%s:", when);
    for (int i = 0; i < size; i++)
        printf(" %u", lengths[i]);
    printf("\n");
}

static void receive_all(MPI_Comm communicator)
{
    static char bytes[most_bytes];
    const unsigned all = 7 * (unsigned)(size * (size - 1) / 2);
    const struct timespec time = {0, 2000000};
    int flag;
    for (int round = 0; read_lengths() != all && round < most_rounds; round++) {
        MPI_Iprobe(MPI_ANY_SOURCE, 99, communicator, &flag, MPI_STATUS_IGNORE); /* progress */
        nanosleep(&time, NULL);
    }
    print_lengths("arrived");
    for (int source = 1; source < size; source++)
        for (int i = 0; i < received; i++)
            MPI_Recv(bytes, most_bytes, MPI_BYTE, source, MPI_ANY_TAG, communicator, MPI_STATUS_IGNORE);
    read_lengths();
    print_lengths("two of each received");
    for (unsigned i = 0; i < all - received * (unsigned)(size - 1); i++)
        MPI_Recv(bytes, most_bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, MPI_STATUS_IGNORE);
    read_lengths();
    print_lengths("all received");
}

int main(int argc, char **argv)
{
    MPI_Comm communicator;
    setenv("OMPI_MCA_pml", "ob1", 1); /* the part of Open MPI that has the variable */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    process = exact_process();
    if (rank == 0) {
        if (process == NULL)
            find_variable(communicator);
        receive_all(communicator);
    } else
        send_all(communicator);
    MPI_Finalize();
    return 0;
}
