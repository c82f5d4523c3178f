/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The struct of all targets, and the operations that differ between kinds. For target*.c, variable_*.c and stack*.c
 * only.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_KINDS_H
#define MPILENS_INSPECT_TARGET_TARGET_KINDS_H

#include "mpilens/black_box.h"
#include "target/target.h"
#include "text/text.h"

#include <elfutils/libdwfl.h>
#include <limits.h>

struct target_recording;
struct snapshot_image;

struct target_kind {
    bool is_live;
    int (*read)(struct target *target, uint64_t address, void *ret_bytes, size_t count);
    void (*close)(struct target *target);
    /* NULL: through libdwfl. */
    bool (*find_symbol)(struct target *target, const char *name, uint64_t *ret_address);
    const char *(*find_runtime)(struct target *target);
    bool (*find_place)(struct target *target, uint64_t address, struct target_place *ret_place);
};

/* A part of the address space that is in a core file, or in the black box that the process had mapped. */
struct core_segment {
    int file;
    uint64_t address;
    uint64_t bytes;
    uint64_t offset; /* in the file */
};

struct target {
    const struct target_kind *kind;
    Dwfl *dwfl;
    pid_t pid;
    int pointer_bytes;
    bool other_byte_order;
    int read_error;
    char executable[PATH_MAX]; /* empty: not known */
    struct text_pool names;    /* of functions */
    struct mapped_files files; /* of a living process, as the modules of `dwfl` */

    struct target_recording *recording; /* NULL: nothing is recorded */
    struct snapshot_image *image;       /* of a snapshot */
    const struct tick_clock *snapshot_clock;

    bool is_lost;    /* it ended while its stacks were unwound */
    uid_t user;      /* of a living process; read first: a later process with this pid may have another */
    int memory_file; /* /proc/PID/mem where process_vm_readv is not to be had, else -1 */

    char *core_path;
    int core_file;
    int box_file; /* that the process of a core file had mapped, else -1 */
    Elf *core;
    struct timespec core_time;
    uint64_t box_root; /* address of the root, of a black box; else 0 */
    bool has_ended;    /* the process of the black box */
    bool has_lost_box; /* a core file, of a process whose black box is gone */
    bool box_is_from_here;
    struct core_segment *segments;
    size_t segment_count;

    char box_host[sizeof((struct mpilens_box_process *)NULL)->host]; /* empty: it is no black box */
};

/* A target without modules, both files -1. */
struct target *target_create(const struct target_kind *kind);
void target_take_identification(struct target *target, const unsigned char identification[EI_NIDENT]);

#endif
