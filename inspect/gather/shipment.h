/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This command with all that it needs, to be sent to hosts where it is not: itself, the debugger library, and the
 * shared libraries that are loaded here but for those of the C library. It goes through the standard input of an
 * engine, in front of what is said there; a script for sh on the other host unpacks it into a directory of its own.
 *
 * What was sent is checked by the CRC-32 of gzip. The directory is removed as soon as the command has begun there.
 */
#ifndef MPILENS_INSPECT_GATHER_SHIPMENT_H
#define MPILENS_INSPECT_GATHER_SHIPMENT_H

#include "engine/engine_command.h"

#include <stdbool.h>

struct shipment {
    char *bytes; /* gzip */
    size_t count;
    char *script;
};

/* 0 and a shipment to be cleared, or -1 and a reason. */
int shipment_make(struct shipment *ret_shipment, struct reason *ret_reason);
void shipment_clear(struct shipment *shipment);

/* Makes of a command of this program, which is its first word, one that unpacks it first where it is not there. What
 * reads it gets the bytes of the shipment on standard input before all else. */
void shipment_wrap(const struct shipment *shipment, struct engine_words *command);

/* Of a command that was sent: removes its directory, so that it cannot be started again. False, and nothing is done: it
 * is no such command. */
bool shipment_remove_own(void);

#endif
