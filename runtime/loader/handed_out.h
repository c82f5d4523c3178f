/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What dlsym and dlvsym hand out for names of MPI: the wrapper of a function of the MPI library, so that programs which
 * take MPI by dlopen are seen as those are which are linked with it, and its address is the same in both.
 */
#ifndef MPILENS_RUNTIME_LOADER_HANDED_OUT_H
#define MPILENS_RUNTIME_LOADER_HANDED_OUT_H

/* For dlsym.S: the same as the next dlsym and dlvsym (next_dlsym.h) give to `caller`, or the wrapper of that. dlerror
 * says what it says after these. */
void *mpilens__hand_out(void *handle, const char *name, const void *caller) __attribute__((visibility("hidden")));
void *mpilens__hand_out_version(void *handle, const char *name, const char *version, const void *caller)
    __attribute__((visibility("hidden")));

#endif
