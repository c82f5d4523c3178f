/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays of the target whose records begin with a serial: it is 0 while one is written, and written first and last.
 */
#ifndef MPILENS_DLL_LAYOUT_SERIAL_RECORDS_H
#define MPILENS_DLL_LAYOUT_SERIAL_RECORDS_H

#include "layout/root.h"
#include "target/target.h"

/* The `count` structs at `address`, each `record_bytes` as our own, which begins with the serial, too: 0 where one was
 * being written. mqs_no_information: the target has no such struct; or a code of reading. */
int serial_records_read(const struct target *target, const struct root *root, enum mpilens_struct number,
                        uint64_t address, size_t count, void *ret_records, size_t record_bytes);

#endif
