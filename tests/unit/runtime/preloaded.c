/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program beside which the runtime is preloaded.
 *
 * preloaded PLUGIN LIBRARY: has a symbol that the runtime has, and loads, unloads and loads again a plugin that calls
 * MPI.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A short name with other data behind it. */
extern struct program_data {
    char name[32];
    int table[1024];
} program_data __asm__("MPIR_dll_name");

struct program_data program_data = {.name = ""};

static bool expect(bool right, const char *what)
{
    if (!right)
        printf("not so: %s\n", what);
    return right;
}

static bool data_are_untouched(void)
{
    static const struct program_data empty;
    return expect(memcmp(&program_data, &empty, sizeof empty) == 0, "data of the program are its own");
}

/* Its MPI library stays, wherever it is: the runtime has addresses of it. */
static bool call_plugin(const char *path, const char *library)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!expect(plugin != NULL, "the plugin can be loaded"))
        return false;
    int (*probe)(void);
    void *address = dlsym(plugin, "probe");
    memcpy(&probe, &address, sizeof probe);
    bool right = expect(address != NULL && probe() == 0, "the plugin can call MPI");
    dlclose(plugin);
    void *left = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    right = expect(left != NULL, "the MPI library is there when the plugin is not") && right;
    if (left != NULL)
        dlclose(left);
    return right;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    bool right = data_are_untouched();
    right = call_plugin(argv[1], argv[2]) && right;
    right = call_plugin(argv[1], argv[2]) && right;
    right = data_are_untouched() && right;
    return right ? 0 : 1;
}
