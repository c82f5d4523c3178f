/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake debugger as one of the MPI Forum's draft (mpid.h): the same target, switches and counts.
 */
#ifndef MPILENS_MPID_DEBUGGER_H
#define MPILENS_MPID_DEBUGGER_H

#include "fake_debugger.h"
#include "mpilens/mpid.h"

/* One at a time, as of fake_debugger. */
const mpid_callbacks_t *mpid_debugger_callbacks(struct fake_debugger *debugger);

/* Initializes the library and the process; the first result that is not mpid_rc_ok, or mpid_rc_ok. */
mpid_rc_t mpid_debugger_open(struct fake_debugger *debugger, mpid_process_handle_t **ret_process);

/* Ends both. Takes NULL. */
void mpid_debugger_close(mpid_process_handle_t *process);

/* Frees what a query gave; takes NULL. */
void mpid_debugger_free(const void *memory);

#endif
