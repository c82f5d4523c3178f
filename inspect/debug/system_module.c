/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names libraries of the system and their functions.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <string.h>

bool is_program_module(const char *module)
{
    const char *name = file_name(module);
    if (name[0] == '[') /* [vdso] */
        return false;
    for (const char *end = name; (end = strstr(end, ".so")) != NULL; end++)
        if (end[3] == '\0' || end[3] == '.' || end[3] == ' ') /* " (deleted)" */
            return false;
    return true;
}

static bool begins_with_any(const char *name, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}
#define BEGINS_WITH_ANY(name, beginnings) begins_with_any(name, beginnings, sizeof(beginnings) / sizeof *(beginnings))

bool is_mpi_module(const char *module)
{
    static const char *const beginnings[] = {
        "libmpi",   "libpmpi",       "libopen-",   "libopen_mpi", "libprrte", "libpmi", "mca_",
        "libmca_",  "libucc",        "libucm",     "libucp",      "libucs",   "libuct", "libfabric",
        "libpsm",   "libinfinipath", "libibverbs", "librdmacm",   "libmlx",   "libefa", "libhwloc",
        "libevent", "libhcoll",      "libsharp",   "libnuma",
    };
    return BEGINS_WITH_ANY(file_name(module), beginnings) && !is_program_module(module);
}

bool is_interpreter_module(const char *module)
{
    static const char *const beginnings[] = {"python2", "python3", "libpython"};
    return BEGINS_WITH_ANY(file_name(module), beginnings);
}

bool is_binding_module(const char *module)
{
    static const char *const beginnings[] = {"MPI.cpython-", "MPI.abi3", "_ctypes.", "libffi", "_cffi_backend"};
    return BEGINS_WITH_ANY(file_name(module), beginnings);
}

bool is_system_module(const char *module)
{
    /* Beginnings of names: libraries of the C library and of compilers. */
    static const char *const beginnings[] = {
        "ld-",     "ld64.",   "libc.",   "libc-",    "libpthread", "libm.",      "libm-",       "libmvec", "librt.",
        "librt-",  "libdl.",  "libdl-",  "libgcc_s", "libstdc++",  "libc++",     "libgfortran", "libquad", "libgomp",
        "libiomp", "libomp.", "libasan", "libtsan",  "libubsan",   "linux-vdso", "linux-gate",
    };
    const char *name = file_name(module);
    const bool is_system = name[0] == '[' || BEGINS_WITH_ANY(name, beginnings);
    return (is_system && !is_program_module(module)) || is_mpi_module(module);
}

bool is_system_function(const char *function)
{
    static const char *const beginnings[] = {"std::", "__gnu_cxx::"};
    return function != NULL && BEGINS_WITH_ANY(function, beginnings);
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
