/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The handle in a variable of the program, through DWARF.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_H

#include "base/base.h"
#include "handle/handle.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

/* -- variable_find.c --
 * A variable of the program that holds a handle, found through DWARF.
 */

struct program_variable {
    uint64_t address; /* 0: it stands in no memory (a register) */
    uint64_t value;   /* of an integer (of Fortran: with its sign) or pointer; else 0 */
    uint64_t bytes;   /* of it; 0: not known */
    bool is_fortran;  /* declared in Fortran, or an MPI_Fint */
    char type[64];    /* "MPI_Comm", "mpi_comm" (of Fortran), "int" */
    char place[128];  /* where it was found: "in main", "declared at app.c:7" */
};

/* Finds what `text` names: `row`, `requests[2]`, `grid.row`, `grid%row`, `list->comm`, `*comm`, `file.c::row`,
 * `function::row`, `module::row`. Local variables of the main thread's stack are searched first, innermost frame first,
 * then those with an address of their own. `is_stopped`: this process has stopped the target already. 0, or -1 and a
 * reason. */
int program_variable_find(struct target *target, const char *text, bool is_stopped,
                          struct program_variable *ret_variable, struct reason *ret_reason);

/* -- variable_handle.c --
 * Reads the handle in a variable of the program.
 */

/* Replaces the name in the query by kind, value and language of the variable. The caller frees *ret_variable, which
 * says what was found: "row (MPI_Comm in main)". 0, or -1 and a reason. */
int handle_query_variable(struct target *target, bool is_stopped, struct handle_query *query, char **ret_variable,
                          struct reason *ret_reason);

#endif
