/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all members must give alike to a collective call that makes or changes an object: struct
 * mpilens_collective_arguments of layout.def.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_COLLECTIVE_ARGUMENTS_H
#define MPILENS_RUNTIME_OBJECTS_COLLECTIVE_ARGUMENTS_H

#include "objects/collective_order.h"

/* One of them: a list, a text, or a number. */
struct agreed_argument {
    const char *name;
    const int *list; /* NULL: none */
    int64_t length;  /* of the list, as the caller says: perhaps wrong */
    const char *text;
    int64_t value;     /* MPI_UNDEFINED: the caller takes no part, and nothing is said */
    bool is_condition; /* the number or those of the list are only 0 or not */
    bool may_differ;   /* other texts may mean the same; it is the last one */
};

/* The call that has taken the place `call`. `arguments`: the field of its communicator or file; NULL: that is not
 * known. */
void collective_agree(uint64_t *arguments, const struct mpilens_collective *call, const struct agreed_argument *agreed,
                      size_t count);

/* The number of edges of a graph, as the last of its `nodes` indices says; 0: that cannot be. */
int64_t collective_edge_count(const int *index, int nodes);

/* The dimensions of a Cartesian communicator; 0: it is none. NULL is fine. */
int64_t collective_dimensions(const struct mpilens_communicator *communicator);

/* Whether the weights of edges are some (1) or MPI_UNWEIGHTED (0); MPI_UNDEFINED: not known. */
int64_t collective_has_weights(const int *weights);

/* There are none any more. */
void collective_arguments_give_back(uint64_t *arguments);

#endif
