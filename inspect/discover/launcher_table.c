/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads MPIR_proctable out of a launcher. Whatever stands there is taken for hostile.
 */
#include "discover/discover.h"

#include "base/base.h"
#include "target/target.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A launcher of more processes than this is damaged; text that is longer is cut. */
enum { MOST_PROCESSES = 1 << 20, MOST_TEXT_BYTES = 256 };

static uint64_t number_at(const unsigned char *bytes, size_t size)
{
    uint32_t short_number;
    uint64_t long_number;
    if (size == sizeof short_number) {
        memcpy(&short_number, bytes, sizeof short_number);
        return short_number;
    }
    memcpy(&long_number, bytes, sizeof long_number);
    return long_number;
}

/* Text may stand just before memory that is not mapped, so it is read in parts that a page does not end in. */
static const char *read_text(struct target *target, uint64_t address)
{
    enum { PART_BYTES = 16 };
    char text[MOST_TEXT_BYTES + PART_BYTES + 1] = "";
    size_t length = 0;
    while (address != 0 && length < MOST_TEXT_BYTES) {
        const size_t bytes = PART_BYTES - (size_t)((address + length) % PART_BYTES);
        if (target_read(target, address + length, text + length, bytes) != 0) {
            text[length] = '\0';
            break;
        }
        text[length + bytes] = '\0';
        if (memchr(text + length, '\0', bytes) != NULL)
            break;
        length += bytes;
    }
    for (char *character = text; *character != '\0'; character++)
        if (iscntrl((unsigned char)*character))
            *character = '?';
    return arena_copy(text);
}

static bool read_number(struct target *target, const char *symbol, size_t size, uint64_t *ret_number)
{
    unsigned char bytes[sizeof(uint64_t)];
    uint64_t address;
    if (!target_find_symbol(target, symbol, &address) && !target_find_program_symbol(target, symbol, &address))
        return false;
    if (target_read(target, address, bytes, size) != 0)
        return false;
    *ret_number = number_at(bytes, size);
    return true;
}

/* char *host_name, char *executable_name, int pid, for each process. */
bool launcher_table_read(struct target *launcher, struct launcher_table *ret_table)
{
    const size_t pointer = (size_t)target_pointer_bytes(launcher);
    uint64_t address, count;
    if ((pointer != sizeof(uint32_t) && pointer != sizeof(uint64_t)) || target_is_other_byte_order(launcher))
        return false;
    if (!read_number(launcher, "MPIR_proctable_size", sizeof(uint32_t), &count) || count == 0 ||
        count > MOST_PROCESSES || !read_number(launcher, "MPIR_proctable", pointer, &address) || address == 0)
        return false;
    const size_t entry_bytes = 3 * pointer;
    unsigned char *entries = allocate((size_t)count * entry_bytes);
    if (target_read(launcher, address, entries, (size_t)count * entry_bytes) != 0) {
        free(entries);
        return false;
    }
    struct launcher_table table = {.items = arena_allocate((size_t)count * sizeof *table.items),
                                   .count = (size_t)count};
    for (size_t i = 0; i < table.count; i++) {
        const unsigned char *entry = entries + i * entry_bytes;
        table.items[i] = (struct launched_process){
            .host = read_text(launcher, number_at(entry, pointer)),
            .executable = read_text(launcher, number_at(entry + pointer, pointer)),
            .pid = (pid_t)number_at(entry + 2 * pointer, sizeof(uint32_t)),
        };
    }
    free(entries);
    *ret_table = table;
    return true;
}

bool launcher_table_of(pid_t launcher, struct launcher_table *ret_table)
{
    struct target *target;
    struct reason reason;
    if (target_open_process(launcher, &target, &reason) != 0)
        return false;
    const bool is_read = launcher_table_read(target, ret_table);
    target_close(target);
    return is_read;
}

const char *launcher_job_of(pid_t launcher)
{
    struct target *target;
    struct reason reason;
    uint64_t address;
    const char *job = NULL;
    if (target_open_process(launcher, &target, &reason) != 0)
        return NULL;
    if (target_pointer_bytes(target) == (int)sizeof(uint64_t) && !target_is_other_byte_order(target) &&
        read_number(target, "totalview_jobid", sizeof(uint64_t), &address) && address != 0)
        job = read_text(target, address);
    target_close(target);
    return job;
}

bool is_same_host(const char *left, const char *right)
{
    const size_t left_bytes = strcspn(left, "."), right_bytes = strcspn(right, ".");
    if (left[left_bytes] != '\0' && right[right_bytes] != '\0')
        return strcmp(left, right) == 0;
    return left_bytes == right_bytes && strncmp(left, right, left_bytes) == 0;
}

bool is_this_host(const char *name)
{
    char own[HOST_NAME_MAX + 1] = "";
    return gethostname(own, sizeof own) == 0 && is_same_host(own, name);
}
