/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads recordings.
 */
#include "recorded_python.h"

#include "base/base.h"
#include "target/target_kinds.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct recorded_python recorded;

enum { MOST_SYMBOLS = 8, MOST_LINE = 1 << 20 };
static struct symbol {
    char name[64];
    uint64_t address;
} symbols[MOST_SYMBOLS];
static size_t symbol_count;

static struct recorded_range *find_range(uint64_t address)
{
    size_t low = 0;
    for (size_t high = recorded.range_count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        struct recorded_range *range = &recorded.ranges[middle];
        if (address < range->address)
            high = middle;
        else if (address - range->address >= range->count)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

static int read_recorded(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    (void)target;
    recorded.reads++;
    for (size_t done = 0; done < count;) {
        const struct recorded_range *range = find_range(address + done);
        if (range == NULL)
            return EFAULT;
        const size_t inside = (size_t)(address + done - range->address);
        const size_t left = range->count - inside, part = left < count - done ? left : count - done;
        memcpy((char *)ret_bytes + done, range->bytes + inside, part);
        done += part;
    }
    return 0;
}

static bool find_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    (void)target;
    const uint64_t address = recorded_symbol(name);
    if (address != 0)
        *ret_address = address;
    return address != 0;
}

static void close_recorded(struct target *target)
{
    (void)target;
}

static const struct target_kind recorded_kind = {
    .read = read_recorded, .close = close_recorded, .find_symbol = find_symbol};

static void add_range(uint64_t address, const char *digits)
{
    recorded.ranges = array_append(recorded.ranges, &recorded.range_count, sizeof *recorded.ranges);
    struct recorded_range *range = &recorded.ranges[recorded.range_count - 1];
    *range = (struct recorded_range){.address = address, .count = strlen(digits) / 2};
    range->bytes = allocate(range->count);
    for (size_t i = 0; i < range->count; i++) {
        const char byte[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        range->bytes[i] = (unsigned char)strtoul(byte, NULL, 16);
    }
}

static void take_line(char *line)
{
    char *rest;
    const char *word = strtok_r(line, " \n", &rest), *first = strtok_r(NULL, " \n", &rest),
               *second = strtok_r(NULL, " \n", &rest);
    if (strcmp(word, "process") == 0) {
        recorded.pid = (pid_t)atol(first);
    } else if (strcmp(word, "symbol") == 0) {
        cr_assert_lt(symbol_count, MOST_SYMBOLS);
        struct symbol *symbol = &symbols[symbol_count++];
        strncpy(symbol->name, first, sizeof symbol->name - 1);
        symbol->address = strtoull(second, NULL, 16);
    } else {
        add_range(strtoull(first, NULL, 16), second);
    }
}

void recorded_python_open(const char *name)
{
    char *path = format_text("%s/%s", RECORDINGS, name);
    char *line = allocate(MOST_LINE);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    recorded = (struct recorded_python){.target = target_create(&recorded_kind)};
    symbol_count = 0;
    while (fgets(line, MOST_LINE, file) != NULL)
        take_line(line);
    fclose(file);
    free(line);
    free(path);
    recorded.target->pid = recorded.pid;
    recorded.target->pointer_bytes = 8;
}

void recorded_python_close(void)
{
    target_close(recorded.target);
    for (size_t i = 0; i < recorded.range_count; i++)
        free(recorded.ranges[i].bytes);
    free(recorded.ranges);
    recorded.ranges = NULL;
    recorded.range_count = 0;
}

unsigned char *recorded_memory(uint64_t address, size_t count)
{
    struct recorded_range *range = find_range(address);
    cr_assert_not_null(range);
    const size_t inside = (size_t)(address - range->address);
    cr_assert_geq(range->count - inside, count);
    return range->bytes + inside;
}

uint64_t recorded_symbol(const char *name)
{
    for (size_t i = 0; i < symbol_count; i++)
        if (strcmp(symbols[i].name, name) == 0)
            return symbols[i].address;
    return 0;
}

void recorded_forget_symbol(const char *name)
{
    for (size_t i = 0; i < symbol_count; i++)
        if (strcmp(symbols[i].name, name) == 0)
            symbols[i].name[0] = '\0';
}
