/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symbols by which debuggers find the DLL. They are set when the library is loaded.
 */
#ifndef MPILENS_RUNTIME_LOADER_DEBUGGER_SYMBOLS_H
#define MPILENS_RUNTIME_LOADER_DEBUGGER_SYMBOLS_H

/* After MPI_Init, which may have changed them: where an MPI library has variables of the same names, it uses ours. */
void debugger_symbols_restore(void);

#endif
