/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlsym and dlvsym as they are without this library, which has functions of these names itself (dlsym.S).
 */
#ifndef MPILENS_RUNTIME_LOADER_NEXT_DLSYM_H
#define MPILENS_RUNTIME_LOADER_NEXT_DLSYM_H

/* RTLD_NEXT means: behind this library. */
void *next_dlsym(void *handle, const char *name);
void *next_dlvsym(void *handle, const char *name, const char *version);

/* For dlsym.S: the functions themselves; NULL: not looked for yet. */
typedef void *dlsym_function(void *, const char *);
typedef void *dlvsym_function(void *, const char *, const char *);
extern dlsym_function *mpilens__next_dlsym __attribute__((visibility("hidden")));
extern dlvsym_function *mpilens__next_dlvsym __attribute__((visibility("hidden")));

/* For dlsym.S: looks for them; any thread. They are those of the next object in the order of loading, as the dynamic
 * linker would choose: another tool's, else the C library's. Calls nothing, for it may be the first call of a process,
 * of an allocator or a sanitizer that is not ready. */
void mpilens__find_next_dlsym(void) __attribute__((visibility("hidden")));

#endif
