/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the loader what is loaded, and finds build ids in memory.
 */
#include "memory/memory.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct visit {
    void (*module)(const struct mpilens_box_module *module, const char *path);
    bool is_first;
};

static unsigned long long known_loads; /* dlpi_adds when all were visited */

static void take_build_id(const char *notes, size_t bytes, struct mpilens_box_module *module)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        ElfW(Nhdr) header;
        memcpy(&header, notes + at, sizeof header);
        const size_t name = at + sizeof header;
        const size_t content = name + ((size_t)header.n_namesz + 3) / 4 * 4;
        if (content > bytes || header.n_descsz > bytes - content)
            return;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU" &&
            memcmp(notes + name, "GNU", sizeof "GNU") == 0 && header.n_descsz <= sizeof module->build_id) {
            module->build_id_bytes = header.n_descsz;
            memcpy(module->build_id, notes + content, header.n_descsz);
            return;
        }
        at = content + ((size_t)header.n_descsz + 3) / 4 * 4;
    }
}

static struct mpilens_box_module describe(const struct dl_phdr_info *info)
{
    struct mpilens_box_module module = {.bias = info->dlpi_addr, .start = UINT64_MAX};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const uint64_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD) {
            module.start = start < module.start ? start : module.start;
            module.end = start + segment->p_memsz > module.end ? start + segment->p_memsz : module.end;
        } else if (segment->p_type == PT_NOTE && module.build_id_bytes == 0) {
            take_build_id((const char *)(uintptr_t)start, segment->p_memsz, &module);
        }
    }
    return module;
}

/* False: it has none, as the system's own that is no file. */
static bool find_path(const char *name, bool is_program, char path[PATH_MAX])
{
    if (is_program) {
        const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
        path[length > 0 ? length : 0] = '\0';
        return length > 0;
    }
    const size_t length = strlen(name);
    if (name[0] != '/')
        return strchr(name, '/') != NULL && realpath(name, path) != NULL;
    if (length >= PATH_MAX)
        return false;
    memcpy(path, name, length + 1);
    return true;
}

static int visit_one(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct visit *visit = argument;
    char path[PATH_MAX];
    (void)size;
    const bool is_program = visit->is_first;
    visit->is_first = false;
    known_loads = info->dlpi_adds;
    if (find_path(info->dlpi_name, is_program, path)) {
        const struct mpilens_box_module module = describe(info);
        if (module.start < module.end)
            visit->module(&module, path);
    }
    return 0;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    *(unsigned long long *)argument = info->dlpi_adds;
    return 1;
}

void box_modules_visit(void (*visit)(const struct mpilens_box_module *module, const char *path))
{
    unsigned long long loads = 0;
    dl_iterate_phdr(count_loads, &loads);
    if (loads == known_loads)
        return;
    struct visit all = {.module = visit, .is_first = true};
    dl_iterate_phdr(visit_one, &all);
}
