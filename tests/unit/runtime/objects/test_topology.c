/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topologies of communicators.
 */
#include "constructors.h"
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(topology, .init = begin_mpi);

enum { HANDLE = (int)0x84000001, OTHER = (int)0x84000002 };

static const int values[] = {3, 2, 1, 0, 1, 1, 9, 8, 7, 6, 5, 4, 13, 12, 11, 10};

static struct fake_topology topology_of(int kind, int first, int second, int weighted)
{
    return (struct fake_topology){kind, first, second, weighted, values};
}

static const struct mpilens_topology *known(MPI_Comm communicator)
{
    return shadow_communicator(communicator)->topology;
}

static const int32_t *known_values(MPI_Comm communicator)
{
    return (const int32_t *)(uintptr_t)known(communicator)->values;
}

static MPI_Comm make_cartesian(int dimensions, int reorder)
{
    MPI_Comm communicator;
    fake.topology = topology_of(MPI_CART, dimensions, 0, 0);
    fake.communicator = (MPI_Comm)HANDLE;
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, values, values, reorder, &communicator);
    return communicator;
}

Test(topology, is_none_of_most)
{
    cr_assert_eq(known(MPI_COMM_WORLD)->kind, MPILENS_TOPOLOGY_NONE);
    MPI_Comm communicator = split_as(MPI_COMM_WORLD, HANDLE);
    cr_assert_eq(known(communicator)->kind, MPILENS_TOPOLOGY_NONE);
    cr_assert_eq(known(communicator)->values + known(communicator)->value_count, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(topology, cartesian)
{
    MPI_Comm communicator = make_cartesian(2, 1);
    const struct mpilens_topology *topology = known(communicator);
    cr_assert_eq(topology->kind, MPILENS_TOPOLOGY_CARTESIAN);
    cr_assert_eq(topology->first_count, 2);
    cr_assert_eq(topology->value_count, 6);
    cr_assert_eq(topology->reordered, 1);
    cr_assert_eq(topology->values, address_of(topology->short_values));
    cr_assert_arr_eq(topology->short_values, values, 6 * sizeof(int));
    MPI_Comm_free(&communicator);
    communicator = make_cartesian(5, 0);
    cr_assert_eq(known(communicator)->value_count, 15);
    cr_assert_eq(known(communicator)->reordered, 0);
    cr_assert_neq(known(communicator)->values, address_of(known(communicator)->short_values));
    cr_assert_arr_eq(known_values(communicator), values, 15 * sizeof(int));
    MPI_Comm_free(&communicator);
    communicator = make_cartesian(0, 0);
    cr_assert_eq(known(communicator)->kind, MPILENS_TOPOLOGY_CARTESIAN);
    cr_assert_eq(known(communicator)->value_count, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(topology, graph)
{
    MPI_Comm communicator;
    fake.topology = topology_of(MPI_GRAPH, 4, 6, 0);
    fake.communicator = (MPI_Comm)HANDLE;
    MPI_Graph_create(MPI_COMM_WORLD, 4, values, values, 1, &communicator);
    const struct mpilens_topology *topology = known(communicator);
    cr_assert_eq(topology->kind, MPILENS_TOPOLOGY_GRAPH);
    cr_assert_eq(topology->first_count, 4);
    cr_assert_eq(topology->second_count, 6);
    cr_assert_eq(topology->reordered, 1);
    cr_assert_eq(topology->value_count, 10);
    cr_assert_arr_eq(known_values(communicator), values, 10 * sizeof(int));
    MPI_Comm_free(&communicator);
    end_mpi();
}

static MPI_Comm make_distributed(int weighted)
{
    MPI_Comm communicator;
    fake.topology = topology_of(MPI_DIST_GRAPH, 4, 3, weighted);
    fake.communicator = (MPI_Comm)HANDLE;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, values, values, 3, values, values, MPI_INFO_NULL, 1,
                                   &communicator);
    return communicator;
}

Test(topology, distributed_graph)
{
    MPI_Comm communicator = make_distributed(1);
    const struct mpilens_topology *topology = known(communicator);
    cr_assert_eq(topology->kind, MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH);
    cr_assert_eq(topology->first_count, 4);
    cr_assert_eq(topology->second_count, 3);
    cr_assert_eq(topology->reordered, 1);
    cr_assert_eq(topology->weighted, 1);
    cr_assert_eq(topology->value_count, 14);
    cr_assert_arr_eq(known_values(communicator), values, 14 * sizeof(int));
    MPI_Comm_free(&communicator);
    communicator = make_distributed(0);
    cr_assert_eq(known(communicator)->weighted, 0);
    cr_assert_eq(known(communicator)->value_count, 7);
    cr_assert_arr_eq(known_values(communicator), values, 7 * sizeof(int));
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(topology, of_a_duplicate_is_its_own)
{
    MPI_Comm communicators[3];
    MPI_Request request;
    for (int dimensions = 2; dimensions <= 5; dimensions += 3) {
        size_t bytes = 3 * (size_t)dimensions * sizeof(int);
        communicators[0] = make_cartesian(dimensions, 1);
        fake.topology.kind = 0;
        communicators[1] = duplicate_as(communicators[0], OTHER);
        fake.communicator = (MPI_Comm)(OTHER + 1);
        MPI_Comm_idup(communicators[0], &communicators[2], &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        uint64_t original = known(communicators[0])->values;
        MPI_Comm_free(&communicators[0]);
        for (int i = 1; i < 3; i++) {
            cr_assert_eq(known(communicators[i])->kind, MPILENS_TOPOLOGY_CARTESIAN);
            cr_assert_eq(known(communicators[i])->reordered, 1);
            cr_assert_eq(known(communicators[i])->value_count, 3 * (uint32_t)dimensions);
            cr_assert_neq(known(communicators[i])->values, original);
            cr_assert_arr_eq(known_values(communicators[i]), values, bytes);
            MPI_Comm_free(&communicators[i]);
        }
    }
    end_mpi();
}

Test(topology, of_a_duplicate_of_what_nobody_was_seen_to_make_is_asked_for_when_it_is_complete)
{
    MPI_Comm communicator;
    MPI_Request request;
    fake.topology = topology_of(MPI_CART, 5, 0, 0);
    fake.communicator = (MPI_Comm)HANDLE;
    unsigned calls = fake.topology_calls;
    MPI_Comm_idup((MPI_Comm)OTHER, &communicator, &request);
    cr_assert_eq(fake.topology_calls, calls, "it must not be used yet");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(communicator);
    MPI_Barrier(communicator);
    cr_assert_eq(known(communicator)->value_count, 15);
    cr_assert_arr_eq(known_values(communicator), values, 15 * sizeof(int));
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(topology, is_not_asked_of_intercommunicators_and_not_twice)
{
    static const int local[] = {0, 1}, remote[] = {2, 3};
    MPI_Comm inter, communicator = make_cartesian(2, 0);
    unsigned calls = fake.topology_calls;
    for (int i = 0; i < 10; i++)
        MPI_Barrier(communicator);
    fake_communicator_define((MPI_Comm)OTHER, local, 2, remote, 2);
    fake.communicator = (MPI_Comm)OTHER;
    MPI_Intercomm_create(communicator, 0, MPI_COMM_WORLD, 2, 0, &inter);
    cr_assert_eq(fake.topology_calls, calls);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(topology, that_is_large_is_given_back)
{
    static const int many[1 << 16];
    uint64_t bytes = mpilens_process.memory_bytes;
    for (int i = 0; i < 1000; i++) {
        MPI_Comm communicator;
        fake.topology = (struct fake_topology){MPI_GRAPH, 4, (1 << 16) - 4, 0, many};
        fake.communicator = (MPI_Comm)HANDLE;
        MPI_Graph_create(MPI_COMM_WORLD, 4, many, many, 1, &communicator);
        cr_assert_eq(known(communicator)->value_count, 1 << 16);
        MPI_Comm_free(&communicator);
    }
    cr_assert_lt(mpilens_process.memory_bytes - bytes, 200 << 20, "some wait for others to be given back");
    end_mpi();
}

Test(topology, that_is_too_large_says_how_large)
{
    MPI_Comm communicator;
    fake.topology = topology_of(MPI_GRAPH, 4, 1 << 30, 0);
    fake.communicator = (MPI_Comm)HANDLE;
    MPI_Graph_create(MPI_COMM_WORLD, 4, values, values, 1, &communicator);
    cr_assert_eq(known(communicator)->kind, MPILENS_TOPOLOGY_GRAPH);
    cr_assert_eq(known(communicator)->second_count, 1 << 30);
    cr_assert_eq(known(communicator)->value_count, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}
