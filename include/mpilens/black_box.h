/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The black box: the file in which a process keeps its shadow state, so that it can be read when the process is gone.
 * It is an ELF core file of that memory alone: a PT_LOAD segment for each part of it, among them the root and the table
 * of functions, and one PT_NOTE segment with two notes named MPILENS_BOX_NAME. A process writes it while it lives, so
 * segments and the last note may grow, and the last of them may be half written.
 *
 * Integers are the target's, as ELF says. Text is NUL-terminated and cut to fit.
 */
#ifndef MPILENS_BLACK_BOX_H
#define MPILENS_BLACK_BOX_H

#include <stdint.h>

#define MPILENS_BOX_NAME    "mpilens"
#define MPILENS_BOX_SUFFIX  ".box" /* of the file's name */
#define MPILENS_BOX_VERSION 1
/* Identities that begin so are the port of an mpiexec, which the next one may get again. */
#define MPILENS_BOX_HYDRA "hydra "

/* n_type of the notes. */
enum mpilens_box_note {
    MPILENS_BOX_PROCESS = 1, /* struct mpilens_box_process */
    MPILENS_BOX_MODULES,     /* any number of struct mpilens_box_module; the first is the program */
};

/* Identifies the process. Newer versions only append. */
struct mpilens_box_process {
    uint32_t version; /* MPILENS_BOX_VERSION */
    uint32_t pid;
    uint32_t uid;
    uint32_t launcher_part; /* which of the launcher's processes has started this one, as Hydra counts its proxies */
    uint64_t root;          /* address of struct mpilens_process */
    uint64_t started;       /* ticks since boot, as in /proc/PID/stat; 0: not known */
    uint64_t pid_namespace; /* inode of /proc/PID/ns/pid; 0: not known */
    char boot_id[40];       /* of the kernel */
    char host[64];          /* its name */
    char job_identity[160]; /* as in the root */
    /* When that process of the launcher was started, in ticks since boot: of two jobs with the same identity, one after
     * the other, this differs. 0: not known. */
    uint64_t launcher_started;
};

/* A program or library, loaded now or before; if two share a place, the later one holds. */
struct mpilens_box_module {
    uint32_t bytes;          /* of the struct and the path behind it, a multiple of 8 */
    uint32_t build_id_bytes; /* 0: not known */
    uint64_t bias;           /* load bias: address in the process minus address in the file */
    uint64_t start, end;     /* where it is loaded */
    uint8_t build_id[32];
    /* char path[] follows, NUL-terminated */
};

#endif
