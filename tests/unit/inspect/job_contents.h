/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs with a value in every member that a snapshot has, and whether two jobs have the same values.
 */
#ifndef TESTS_JOB_CONTENTS_H
#define TESTS_JOB_CONTENTS_H

#include "model/model.h"

/* Makes `rows` rows of each table below each row of its parent (one where it can only have one) and fills them from the
 * seed. Half of the numbers are extremes, some are not known. */
struct job contents_create(uint64_t seed, size_t rows);

/* How many members differ; each is printed. */
size_t contents_differences(struct job *expected, struct job *actual);

#endif
