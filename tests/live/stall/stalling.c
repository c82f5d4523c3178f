/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library between the runtime and MPI that keeps ranks in some calls until SIGUSR1 comes: rank 2 in the 17th
 * MPI_Allreduce, receivers on MPI_COMM_WORLD, ranks that end an access epoch or flush, rank 3 in MPI_Alltoall so that
 * nothing interrupts it, and all in MPI_Allgather and MPI_File_write_at_all. It stands for an MPI library that does not
 * let them go on, so it has no function of its own on the stack, and no lines; but for MPI_Allgather, where it stands
 * for a tool.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

enum { KEPT_REDUCTION = 17, KEPT_RANK = 2, UNINTERRUPTED_RANK = 3 };

static sigset_t released;

__attribute__((constructor)) static void block_signal(void)
{
    sigemptyset(&released);
    sigaddset(&released, SIGUSR1);
    sigprocmask(SIG_BLOCK, &released, NULL); /* it may come before somebody waits for it */
}

static inline __attribute__((always_inline)) void stay(void)
{
    int signal;
    sigwait(&released, &signal);
}

static __attribute__((noinline)) void wait_as_a_tool(void)
{
    stay();
    __asm__ volatile(""); /* no jump instead of the call */
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm communicator)
{
    static int calls;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (++calls == KEPT_REDUCTION && rank == KEPT_RANK) {
        stay();
    }
    return PMPI_Allreduce(send, receive, count, datatype, op, communicator);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm communicator,
             MPI_Status *status)
{
    stay();
    return PMPI_Recv(buffer, count, datatype, source, tag, communicator, status);
}

int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm communicator)
{
    wait_as_a_tool();
    return PMPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, communicator);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count, MPI_Datatype datatype,
                          MPI_Status *status)
{
    stay();
    return PMPI_File_write_at_all(file, offset, buffer, count, datatype, status);
}

int MPI_Win_flush_all(MPI_Win window)
{
    stay();
    return PMPI_Win_flush_all(window);
}

int MPI_Win_complete(MPI_Win window)
{
    stay();
    return PMPI_Win_complete(window);
}

/* A process that makes a child in this way sleeps in the kernel until the child has ended. */
int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm communicator)
{
    int rank;
    PMPI_Comm_rank(communicator, &rank);
    if (rank == UNINTERRUPTED_RANK && vfork() == 0) {
        stay();
        _exit(0);
    }
    return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, communicator);
}
