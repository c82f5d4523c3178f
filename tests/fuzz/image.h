/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake targets that inputs change. Each is made once and put back after every input.
 */
#ifndef MPILENS_FUZZ_IMAGE_H
#define MPILENS_FUZZ_IMAGE_H

#include "opened_job.h"

/* Bits of one byte. */
enum image_option {
    IMAGE_BIG_ENDIAN = 0x1,
    IMAGE_32_BITS = 0x2,
    IMAGE_REVERSED = 0x4,
    IMAGE_APPENDED = 0x8,
    IMAGE_ONE_IN_A_CHUNK = 0x10,
    IMAGE_FEW_OBJECTS = 0x40,
    IMAGE_OF_POINTERS = 0x80, /* handles of eight bytes */
};

/* Kinds that handles name: enum mpilens_object_kind, requests, statuses. */
enum { IMAGE_KINDS = MPILENS_OBJECT_STATUS + 1, IMAGE_OF_EACH_KIND = 4 };

struct image_values {
    uint64_t values[IMAGE_OF_EACH_KIND];
    size_t count;
};

struct image {
    struct opened_job opened;
    uint8_t *bytes;                         /* the target's memory: `used` of them */
    struct image_values kinds[IMAGE_KINDS]; /* handles, addresses of statuses */
};

/* The image with these options as it was made, and a debugger without switches and counts. Other bits are ignored.
 * Stays the library's. */
struct image *image_get(unsigned options);

/* A handle of this kind in the image that was made; seldom, and where it has none, another value. `choice`: which. */
uint64_t image_value(const struct image *, int kind, unsigned choice);

#endif
