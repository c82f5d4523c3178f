/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI call that a thread is in, by its stack alone: for ranks whose runtime has no tables (yet), and for what
 * tables do not say.
 */
#ifndef MPILENS_INSPECT_STACK_MPI_CALL_H
#define MPILENS_INSPECT_STACK_MPI_CALL_H

#include "stack/mpi_function.h"
#include "stack/stack.h"

struct mpi_call {
    const char *function;             /* in C, without the P of the profiling interface: "MPI_Recv" */
    const struct mpi_function *facts; /* NULL: the table does not have it */
    bool is_of_c;                     /* it was called in C, not through a binding */
    const struct stack_frame *frame;  /* of the function */
    const struct stack_frame *caller; /* who has called it, outside MPI: of its line, or of its line of Python; NULL:
                                       * not known */
};

/* The outermost function of MPI on the stack, as the program has called it: in C, through a binding of Fortran or from
 * Python. What MPI calls itself does not matter. False: the stack has none. `target`: whose stack it is, to see what
 * its caller has called where the library has left that function by a jump; NULL: only names on the stack count. Texts
 * last as long as its sites and the target. */
bool stack_find_mpi_call(const struct thread_stack *stack, struct target *target, struct mpi_call *ret_call);

#endif
