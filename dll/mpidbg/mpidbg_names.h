/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Predefined handles and their names, which the interface has in variables of the DLL.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_NAMES_H
#define MPILENS_DLL_MPIDBG_MPIDBG_NAMES_H

#include "mpilens/mpidbg.h"
#include "process/process_info.h"

/* Names of predefined handles are those of this process from now on ... */
void inquiry_want_names(const mqs_process_info *info);
/* ... are learned, where they are not known yet. No memory: none ... */
void inquiry_learn_names(mqs_process_info *info);
/* ... and are gone, if they are those of this process. */
void inquiry_forget_names(const mqs_process_info *info);

#endif
