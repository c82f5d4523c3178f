/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The notes of black boxes (mpilens/black_box.h), which are hostile input as all of a core file is.
 */
#ifndef MPILENS_INSPECT_TARGET_BLACK_BOX_H
#define MPILENS_INSPECT_TARGET_BLACK_BOX_H

#include "mpilens/black_box.h"

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* The content of the note of that type, valid as long as `core`; NULL: there is none. */
const char *black_box_find_note(Elf *core, enum mpilens_box_note type, size_t *ret_bytes);

/* The owner of the black box. Texts are terminated. False: the file is none. */
bool black_box_identify(Elf *core, struct mpilens_box_process *ret_process);
bool black_box_identify_file(const char *path, struct mpilens_box_process *ret_process);

/* Whether processes of its kernel and PID namespace have the same numbers here. */
bool black_box_is_from_here(const struct mpilens_box_process *process);

/* Whether that process is alive and can be seen from here. */
bool black_box_is_live(const struct mpilens_box_process *process);

#endif
