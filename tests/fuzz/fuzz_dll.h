/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The harness for libFuzzer and for the driver of our own.
 */
#ifndef MPILENS_FUZZ_DLL_H
#define MPILENS_FUZZ_DLL_H

#include <stddef.h>
#include <stdint.h>

/* Sums over all inputs so far. */
struct fuzz_totals {
    uint64_t inputs;
    uint64_t copied;  /* images that the DLL took a copy of; it refused the others */
    uint64_t answers; /* of mpidbg and mpid that succeeded */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_totals fuzz_totals(void);

#endif
