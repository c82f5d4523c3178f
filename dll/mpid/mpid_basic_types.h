/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What predefined datatypes are, by their names.
 */
#ifndef MPILENS_DLL_MPID_MPID_BASIC_TYPES_H
#define MPILENS_DLL_MPID_MPID_BASIC_TYPES_H

#include "mpilens/mpid.h"

/* Its kind and the languages that have it; MPID_TYPE_KIND_NONTRIVIAL where it is none of the simple kinds. */
enum mpid_type_bitmap_t basic_type_of(const char *name);

#endif
