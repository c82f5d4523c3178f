/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that the runtime has and the MPI library in the process has not.
 */
#include "inside.h"
#include "mpi/functions.h"

#include <criterion/criterion.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void call_without_function(int (*missing)(MPI_Comm), int messages)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGABRT, SIG_DFL);
    dup2(messages, STDERR_FILENO);
    mpilens__real.MPI_Barrier = mpilens__next.MPI_Barrier = missing;
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(0);
}

Test(missing, function_ends_the_program_and_says_which)
{
    int (*missing)(MPI_Comm) = mpilens__next.MPI_Barrier; /* as long as the library is not known */
    begin_mpi();
    cr_assert_neq(missing, mpilens__next.MPI_Barrier);
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        call_without_function(missing, ends[1]);
    close(ends[1]);
    char message[256] = "";
    ssize_t length = read(ends[0], message, sizeof message - 1);
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    cr_assert_gt(length, 0);
    cr_assert_not_null(strstr(message, "MPI_Barrier"), "%s", message);
    end_mpi();
}
