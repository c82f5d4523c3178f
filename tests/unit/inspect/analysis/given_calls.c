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
    world->recent_collectives =
        array_append(world->recent_collectives, &world->collective_call_count, sizeof *world->recent_collectives);
    struct collective_call *call = &world->recent_collectives[world->collective_call_count - 1];
    *call = (struct collective_call){.serial = ++world->collective_calls,
                                     .age_s = 5,
                                     .function = function,
                                     .datatype = given.datatype,
                                     .op_name = "",
                                     .count = given.count,
                                     .bytes = given.bytes,
                                     .signature = given.signature,
                                     .root = -1,
                                     .active = active};
    return call;
}

struct collective_call *be_in_call(struct job *job, int rank, const char *function, const struct given given)
{
    add_judged_thread(job, rank, function, MPILENS_CALL_COLLECTIVE)->communicator_id = world_of(job, rank)->id;
    return make_call(job, rank, function, given, true);
}
