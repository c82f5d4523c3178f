/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that stand for ranks.
 */
#include "ranks.h"

#include "fake_mpi.h"

#include <criterion/criterion.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *shared_by_ranks(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    return memory;
}

void run_ranks(int count, void (*work)(int rank))
{
    for (int rank = 0; rank < count; rank++) {
        pid_t child = fork();
        if (child == 0) {
            fake.rank = rank;
            MPI_Init(NULL, NULL);
            work(rank);
            _exit(0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        cr_assert_eq(status, 0, "rank %d", rank);
    }
}
