/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The files that a process has mapped, as the kernel knows them. Ranks of a job have mapped the same ones.
 */
#ifndef MPILENS_INSPECT_TARGET_MAPPED_FILES_H
#define MPILENS_INSPECT_TARGET_MAPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Mappings of one file, one behind the other. The inode tells the file, while it is mapped, from others of that name.
 */
struct mapped_file {
    uint64_t start;
    uint64_t end;
    uint64_t inode; /* 0: memory without a file */
    unsigned device_major;
    unsigned device_minor;
    bool is_data; /* shared with others, who see what is written to it, and no code: no program or library */
    char *name;   /* a path, or a word such as "[vdso]" */
};

/* By address. Zero-initialised is empty. */
struct mapped_files {
    struct mapped_file *files;
    size_t count;
};

/* 0, or an error as of kept_maps_visit(). The caller clears it. */
int mapped_files_read(pid_t pid, struct mapped_files *ret_files);
/* The one that starts there; NULL: none does. */
const struct mapped_file *mapped_files_find(const struct mapped_files *files, uint64_t start);
void mapped_files_clear(struct mapped_files *files);

#endif
