/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reports the files that a target has mapped to libdwfl.
 */
#include "target/target.h"

#include "target/target_kinds.h"

struct module_visit {
    void (*visit)(void *context, const struct target_module *module);
    void *context;
};

static int visit_module(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    const struct module_visit *visit = argument;
    const char *file = NULL;
    Dwarf_Addr end = 0, elf_bias;
    GElf_Addr build_id_address;
    const unsigned char *build_id = NULL;
    (void)user_data;
    dwfl_module_getelf(module, &elf_bias); /* the build id is known from then on */
    dwfl_module_info(module, NULL, NULL, &end, NULL, NULL, &file, NULL);
    const int bytes = dwfl_module_build_id(module, &build_id, &build_id_address);
    const struct target_module found = {.start = start,
                                        .end = end,
                                        .path = file != NULL ? file : name,
                                        .build_id = build_id,
                                        .build_id_bytes = bytes > 0 ? (size_t)bytes : 0};
    visit->visit(visit->context, &found);
    return DWARF_CB_OK;
}

void target_for_each_module(struct target *target, void (*visit)(void *context, const struct target_module *module),
                            void *context)
{
    struct module_visit module_visit = {.visit = visit, .context = context};
    if (target->dwfl != NULL)
        dwfl_getmodules(target->dwfl, visit_module, &module_visit, 0);
}
