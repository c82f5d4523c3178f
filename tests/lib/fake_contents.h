/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data behind the records of a fake job with objects: topologies, texts, arguments of datatypes, statuses, integers
 * of Fortran, null handles.
 */
#ifndef MPILENS_FAKE_CONTENTS_H
#define MPILENS_FAKE_CONTENTS_H

#include "fake_objects.h"

enum {
    FAKE_COMM_NULL = 0x04000000,
    FAKE_DATATYPE_NULL = 0x0c000000,
    FAKE_REQUEST_NULL = 0x2c000000,
    FAKE_FORTRAN_BASE = 1000, /* Fortran's integer for a handle: this plus its serial */
};

struct fake_contents {
    uint64_t status;       /* address: from rank 3, tag 42, 12 bytes */
    uint64_t struct_type;  /* addresses of records: 2 MPI_INT at 0, 1 vector at 16 */
    uint64_t session_comm; /* of objects->session, over its group */
    uint64_t session_group;
};

/* Adds them to a job with objects that was not yet published; to be called after fake_job_populate where that is. */
void fake_contents_add(struct fake_contents *contents, struct fake_job *job, struct fake_objects *objects);

#endif
