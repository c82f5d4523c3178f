/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the file of a target.
 */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 24 };

static const char *read_target(FILE *file, struct kit_target *target)
{
    if (fscanf(file, "mpilens target 1: base %lx, mpilens_process %lx, %zu bytes", &target->base, &target->symbol,
               &target->bytes) != 3 ||
        fgetc(file) != '\n')
        return "is no target of this kit";
    if (target->bytes > MOST_BYTES)
        return "is too large";
    target->memory = malloc(target->bytes);
    if (target->memory == NULL)
        return "does not fit into memory";
    return fread(target->memory, 1, target->bytes, file) == target->bytes ? NULL : "is cut short";
}

const char *target_file_open(const char *path, struct kit_target *ret_target)
{
    struct kit_target target = {.memory = NULL};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return "cannot be opened";
    const char *problem = read_target(file, &target);
    fclose(file);
    if (problem == NULL)
        *ret_target = target;
    else
        free(target.memory);
    return problem;
}

void target_file_close(struct kit_target *target)
{
    free(target->memory);
    target->memory = NULL;
}
