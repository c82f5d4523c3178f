/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads the DLL as a debugger does: by path, all symbols at once, its own names to itself.
 */
#include "mpilens/extension.h"

#include <criterion/criterion.h>

#include <dlfcn.h>

Test(loading, works_with_all_symbols_at_once_and_gives_every_entry_point)
{
    void *library = dlopen(DLL_PATH, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(library, "%s", dlerror());
    static const char *const names[] = {"mqs_setup_basic_callbacks",
                                        "mqs_version_string",
                                        "mqs_version_compatibility",
                                        "mqs_dll_taddr_width",
                                        "mqs_dll_error_string",
                                        "mqs_setup_image",
                                        "mqs_image_has_queues",
                                        "mqs_destroy_image_info",
                                        "mqs_setup_process",
                                        "mqs_process_has_queues",
                                        "mqs_destroy_process_info",
                                        "mqs_update_communicator_list",
                                        "mqs_setup_communicator_iterator",
                                        "mqs_get_communicator",
                                        "mqs_get_comm_group",
                                        "mqs_next_communicator",
                                        "mqs_setup_operation_iterator",
                                        "mqs_next_operation",
                                        "mqs_get_comm_coll_state",
                                        "mqs_get_global_rank"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert_not_null(dlsym(library, names[i]), "%s", names[i]);
    int (*compatibility)(void) = NULL;
    *(void **)&compatibility = dlsym(library, "mqs_version_compatibility");
    cr_assert_eq(compatibility(), 2);
    cr_assert_null(dlsym(RTLD_DEFAULT, "mqs_version_compatibility"), "its names stay its own");
    cr_assert_eq(dlclose(library), 0);
}
