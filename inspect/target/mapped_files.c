/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes files out of /proc/PID/maps.
 */
#include "target/target.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct mapped_file *file, const struct mapping *mapping)
{
    return mapping->inode != 0 && file->inode == mapping->inode && file->device_major == mapping->device_major &&
           file->device_minor == mapping->device_minor && strcmp(file->name, mapping->name) == 0;
}

static void add(void *context, const struct mapping *mapping)
{
    struct mapped_files *files = context;
    struct mapped_file *last = files->count > 0 ? &files->files[files->count - 1] : NULL;
    const bool is_data = strchr(mapping->permissions, 's') != NULL && strchr(mapping->permissions, 'x') == NULL;
    if (last != NULL && is_same(last, mapping)) {
        last->end = mapping->end;
        last->is_data = last->is_data && is_data;
        return;
    }
    files->files = arena_append(files->files, &files->count, sizeof *files->files);
    files->files[files->count - 1] = (struct mapped_file){.start = mapping->start,
                                                          .end = mapping->end,
                                                          .inode = mapping->inode,
                                                          .device_major = mapping->device_major,
                                                          .device_minor = mapping->device_minor,
                                                          .is_data = is_data,
                                                          .name = arena_copy(mapping->name)};
}

int mapped_files_read(pid_t pid, struct mapped_files *ret_files)
{
    struct mapped_files files = {.count = 0};
    const int error = kept_maps_visit(pid, add, &files);
    if (error == 0)
        *ret_files = files;
    return error;
}

static int compare_start(const void *start, const void *file)
{
    const uint64_t left = *(const uint64_t *)start, right = ((const struct mapped_file *)file)->start;
    return left < right ? -1 : left > right;
}

const struct mapped_file *mapped_files_find(const struct mapped_files *files, uint64_t start)
{
    return files->count > 0 ? bsearch(&start, files->files, files->count, sizeof *files->files, compare_start) : NULL;
}
