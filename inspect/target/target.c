/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads memory of a target, and finds the module of an address.
 */

#include "target/target_internal.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>

void target_close(struct target *target)
{
    if (target == NULL)
        return;
    debug_sharing_end(target);
    if (target->dwfl != NULL)
        dwfl_end(target->dwfl);
    target->kind->close(target);
    target_recording_destroy(target->recording);
    arena_clear(&target->names.arena);
    free(target);
}

int target_read(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    const int error = target->kind->read(target, address, ret_bytes, count);
    if (error == ESRCH || (error == EPERM && target->read_error != ESRCH) || (error != 0 && target->read_error == 0))
        target->read_error = error;
    if (error == 0 && target->recording != NULL)
        target_recording_add_memory(target->recording, address, ret_bytes, count);
    return error;
}

bool target_peek(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    const int error = target->read_error;
    const bool is_read = target_read(target, address, ret_bytes, count) == 0;
    if (target->read_error != ESRCH)
        target->read_error = error;
    return is_read;
}

bool target_glance(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    struct target_recording *const recording = target->recording;
    target->recording = NULL;
    const bool is_read = target_peek(target, address, ret_bytes, count);
    target->recording = recording;
    return is_read;
}

int target_read_error(const struct target *target)
{
    return target->read_error;
}

bool target_find_module(struct target *target, uint64_t address, struct target_place *ret_place)
{
    if (target->kind->find_place != NULL)
        return target->kind->find_place(target, address, ret_place);
    Dwfl_Module *module = dwfl_addrmodule(target->dwfl, address);
    if (module == NULL)
        return false;
    Dwarf_Addr start = 0;
    GElf_Addr bias = 0;
    const char *main_file = NULL;
    const bool is_known = dwfl_module_getelf(module, &bias) != NULL;
    const char *name = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, &main_file, NULL);
    *ret_place = (struct target_place){.module = main_file != NULL ? main_file : name,
                                       .offset = address - start,
                                       .file_offset = is_known ? address - bias : 0};
    if (target->recording != NULL)
        target_recording_add_place(target->recording, address);
    return true;
}

int target_pointer_bytes(const struct target *target)
{
    return target->pointer_bytes;
}

bool target_is_other_byte_order(const struct target *target)
{
    return target->other_byte_order;
}

pid_t target_pid(const struct target *target)
{
    return target->pid;
}

const char *target_executable(const struct target *target)
{
    return target->executable[0] != '\0' ? target->executable : NULL;
}

const char *target_core_path(const struct target *target)
{
    return target->core_path;
}

bool target_is_live(const struct target *target)
{
    return target->kind->is_live;
}

uid_t target_user(const struct target *target)
{
    return target->user;
}

const char *target_box_host(const struct target *target)
{
    return target->box_host[0] != '\0' ? target->box_host : NULL;
}

bool target_box_is_from_here(const struct target *target)
{
    return target->box_is_from_here;
}

bool target_has_ended(const struct target *target)
{
    return target->has_ended;
}

bool target_has_lost_box(const struct target *target)
{
    return target->has_lost_box;
}

void target_record(struct target *target)
{
    if (target->recording == NULL)
        target->recording = target_recording_create();
}

struct target_recording *target_recording(const struct target *target)
{
    return target->recording;
}

struct timespec target_core_time(const struct target *target)
{
    return target->core_time;
}

const struct tick_clock *target_snapshot_clock(const struct target *target)
{
    return target->snapshot_clock;
}
