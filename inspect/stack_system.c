/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of libraries and of their functions.
 */
#include "stack_system.h"

#include "allocation.h"
#include "file_name.h"

#include <string.h>

bool is_program_module(const char *module)
{
    const char *name = file_name(module);
    if (name[0] == '[') /* [vdso] */
        return false;
    for (const char *end = name; (end = strstr(end, ".so")) != NULL; end++)
        if (end[3] == '\0' || end[3] == '.')
            return false;
    return true;
}

bool is_system_module(const char *module)
{
    /* What names begin with: of the C library, of compilers, of MPI and of what it stands on. */
    static const char *const beginnings[] = {
        "ld-",      "ld64.",     "libc.",    "libc-",      "libpthread", "libm.",      "libm-",    "libmvec",
        "librt.",   "librt-",    "libdl.",   "libdl-",     "libgcc_s",   "libstdc++",  "libc++",   "libgfortran",
        "libquad",  "libgomp",   "libiomp",  "libomp.",    "libasan",    "libtsan",    "libubsan", "libmpi",
        "libpmpi",  "libopen-",  "libprrte", "libpmi",     "mca_",       "libucm",     "libucp",   "libucs",
        "libuct",   "libfabric", "libpsm",   "libibverbs", "librdmacm",  "libmlx",     "libefa",   "libhwloc",
        "libevent", "libhcoll",  "libsharp", "libnuma",    "linux-vdso", "linux-gate",
    };
    const char *name = file_name(module);
    bool is_system = name[0] == '[';
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings && !is_system; i++)
        is_system = strncmp(name, beginnings[i], strlen(beginnings[i])) == 0;
    return is_system && !is_program_module(module);
}

static const char *skip(const char *name, const char *beginning)
{
    const size_t length = strlen(beginning);
    return strncmp(name, beginning, length) == 0 ? name + length : name;
}

char *system_function_name(const char *function)
{
    const char *name = skip(function, "__GI_");
    if (name[0] == '_' && name[1] == '_')
        name = skip(skip(name + strspn(name, "_"), "libc_"), "new_");
    char *plain = copy_text(*name != '\0' ? name : function);
    plain[strcspn(plain, "@.")] = '\0';
    return plain;
}
