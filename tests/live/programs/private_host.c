/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host without MPI that loads a plug-in with MPI behind it, as Python loads its modules: nobody else sees the MPI
 * library. The plug-in lies beside this program, its name is this program's and ".so".
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ".so");
    if (length < 0)
        return 1;
    memcpy(path + length, ".so", sizeof ".so");
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*plugin_main)(int, char **);
    *(void **)&plugin_main = dlsym(plugin, "main");
    return plugin_main != NULL ? plugin_main(argc, argv) : 1;
}
