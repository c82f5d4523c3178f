/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of the model in words, for people. The caller frees what is returned as char *.
 */
#ifndef MPILENS_INSPECT_WORDS_DESCRIBE_H
#define MPILENS_INSPECT_WORDS_DESCRIBE_H

#include "model/model.h"

/* One name per communicator of a job: that of the application or of MPI, else where it comes from, with a number where
 * that is not enough to tell them apart. */
struct communicator_labels {
    struct communicator_label {
        uint64_t id;
        uint32_t serial;
        char *text;
    } * items; /* by id */
    size_t count;
};
struct communicator_labels label_communicators(const struct job *job);
const char *find_label(const struct communicator_labels *labels, uint64_t id);
void communicator_labels_clear(struct communicator_labels *labels);

/* "MPI_Comm_split of MPI_COMM_WORLD"; NULL: predefined or not known. */
char *describe_origin(const struct communicator *communicator);
/* "0", "0 (world 4)", "any". */
char *describe_rank(int32_t local, int32_t world);
/* "10 x MPI_INT (40 bytes)", "40 bytes", or "": what is known of how much there is. Negative, "": not known. */
char *describe_amount(int64_t count, int64_t bytes, const char *datatype);
/* "tag 7", "any tag". */
char *describe_tag(bool wild, int32_t tag);
/* "ring.c:41 main", "ring+0x1139 main". */
char *describe_site(const struct site *site);
/* "12.3 s", "17 min"; "" when not known. */
char *describe_age(double age_s);
const char *describe_state(enum process_state state);
/* "pending", "inferred", "exact", "pending, 2 of 4 ready". */
char *describe_operation_status(const struct operation *operation);

#endif
