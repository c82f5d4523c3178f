/* SPDX-License-Identifier: BSD-3-Clause */
#include "given_calls.h"

#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

const struct given ints = {1000, "MPI_INT", 4000, 11}, other_ints = {1001, "MPI_INT", 4004, 12},
                   doubles = {1000, "MPI_DOUBLE", 8000, 13}, floats = {1000, "MPI_FLOAT", 4000, 14},
                   bytes = {4000, "MPI_BYTE", 4000, 0}, int_rows = {10, "row", 4000, 11}, unknown = {-1, "", -1, 0};

struct collective_call *make_call(struct job *job, int rank, const char *function, const struct given given,
                                  bool active)
{
    struct communicator *world = world_of(job, rank);
    struct collective_call *call = build_collective(world, function);
    call->age_s = 5;
    call->datatype = given.datatype;
    call->count = given.count;
    call->bytes = given.bytes;
    call->signature = given.signature;
    call->active = active;
    return call;
}

struct collective_call *be_in_call(struct job *job, int rank, const char *function, const struct given given)
{
    add_judged_thread(job, rank, function, MPILENS_CALL_COLLECTIVE)->communicator_id = world_of(job, rank)->id;
    return make_call(job, rank, function, given, true);
}
