/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files with debug information. libdwfl finds them, too, but opens whatever stands where a program or library says that
 * they are.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

/* A checksum takes about a second for each. */
enum { MOST_CHECKED_BYTES = 1 << 30, CHECK_BYTES = 1 << 16 };

/* User data of a module with a supplementary file that was not found: libdw would open by itself what it names. */
static char lacks_supplement;

static bool has_checksum(int file, GElf_Word wanted)
{
    unsigned char bytes[CHECK_BYTES];
    uLong checksum = crc32(0, NULL, 0);
    off_t done = 0;
    ssize_t count;
    while ((count = pread(file, bytes, sizeof bytes, done)) > 0 && done < MOST_CHECKED_BYTES) {
        checksum = crc32(checksum, bytes, (uInt)count);
        done += count;
    }
    return count == 0 && checksum == wanted;
}

/* Whether it was made from the module. Without a build id the checksum tells, where there is one. */
static bool belongs_to(int file, Dwfl_Module *module, GElf_Word checksum)
{
    const unsigned char *build_id;
    GElf_Addr address;
    const int bytes = dwfl_module_build_id(module, &build_id, &address);
    if (bytes <= 0)
        return checksum == 0 || has_checksum(file, checksum);
    const void *found = NULL;
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    const bool belongs =
        elf != NULL && dwelf_elf_gnu_build_id(elf, &found) == bytes && memcmp(found, build_id, (size_t)bytes) == 0;
    elf_end(elf);
    return belongs;
}

static bool is_bounded(int file)
{
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    const bool is_bounded = elf != NULL && elf_kind(elf) == ELF_K_ELF && debug_sections_are_bounded(elf);
    elf_end(elf);
    return is_bounded;
}

bool debug_file_is_plain(int file)
{
    char magic[SELFMAG];
    return pread(file, magic, sizeof magic, 0) == (ssize_t)sizeof magic && memcmp(magic, ELFMAG, sizeof magic) == 0;
}

bool debug_file_is_harmless(const char *path)
{
    if (!is_harmless_to_open(path))
        return false;
    const int file = regular_file_open(path);
    const bool is_harmless = file < 0 || is_bounded(file);
    if (file >= 0)
        close(file);
    return is_harmless;
}

/* Takes the path. */
static int try_path(Dwfl_Module *module, bool is_supplement, GElf_Word checksum, char *path, char **ret_path)
{
    const int file = regular_file_open(path);
    if (file >= 0 && (is_supplement || belongs_to(file, module, checksum))) {
        *ret_path = path;
        return file;
    }
    if (file >= 0)
        close(file);
    free(path);
    return -1;
}

enum { LINK_PLACES = 3 };

/* Beside the file, below it, and in the system's directory; as the process sees them that has the module. The caller
 * frees it. */
static char *link_path(unsigned place, const char *root, const char *file_name, const char *link)
{
    static const char *const before[LINK_PLACES] = {"", "", "/usr/lib/debug"};
    static const char *const after[LINK_PLACES] = {"", "/.debug", ""};
    const char *end = strrchr(file_name, '/');
    const int length = end != NULL ? (int)(end - file_name) : 0;
    return format_text("%s%s%.*s%s/%s", root, before[place], length, file_name, after[place], link);
}

static int find_link(Dwfl_Module *module, const char *root, const char *file_name, const char *link, GElf_Word checksum,
                     char **ret_path)
{
    const bool is_supplement = checksum == 0;
    int file = -1;
    if (link[0] == '/')
        return is_supplement ? try_path(module, true, 0, format_text("%s%s", root, link), ret_path) : -1;
    for (unsigned place = 0; file < 0 && place < LINK_PLACES; place++)
        file = try_path(module, is_supplement, checksum, link_path(place, root, file_name, link), ret_path);
    return file;
}

/* The root directory of the process whose files are meant. The caller frees it. */
static char *root_of(void *const *user_data)
{
    return *user_data != NULL && *user_data != &lacks_supplement
               ? format_text("/proc/%ld/root", (long)*(const pid_t *)*user_data)
               : copy_text("");
}

char *debug_file_explain_link(Dwfl_Module *module, const char *link, GElf_Word checksum)
{
    void **user_data = NULL;
    const char *name = NULL;
    char *explanation = NULL;
    dwfl_module_info(module, &user_data, NULL, NULL, NULL, NULL, &name, NULL);
    if (name == NULL || user_data == NULL || link[0] == '/')
        return NULL;
    char *root = root_of(user_data);
    for (unsigned place = 0; explanation == NULL && place < LINK_PLACES; place++) {
        char *path = link_path(place, root, name, link);
        const int file = regular_file_open(path);
        const int error = errno;
        if (file >= 0 && !belongs_to(file, module, checksum))
            explanation = format_text("%s is of another build", path + strlen(root));
        else if (file >= 0 && !is_bounded(file))
            explanation = debug_explain_density(path + strlen(root));
        else if (file < 0 && error == 0)
            explanation = format_text("%s is no regular file, and is not opened", path + strlen(root));
        else if (file < 0 && error != ENOENT && error != ENOTDIR)
            explanation = format_text("%s: %s", path + strlen(root), strerror(error));
        if (file >= 0)
            close(file);
        free(path);
    }
    free(root);
    return explanation;
}

int debug_file_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, const char *file_name,
                    const char *link, GElf_Word checksum, char **ret_path)
{
    int file = dwfl_build_id_find_debuginfo(module, NULL, NULL, 0, NULL, NULL, 0, ret_path);
    if (file < 0 && link != NULL && file_name != NULL && *user_data != &lacks_supplement) {
        char *root = root_of(user_data);
        file = find_link(module, root, file_name, link, checksum, ret_path);
        free(root);
    }
    if (file < 0 && !is_system_module(name))
        file = debug_server_find(module, user_data, name, base, ret_path);
    if (file >= 0 && !is_bounded(file)) {
        close(file);
        free(*ret_path);
        *ret_path = NULL;
        file = -1;
    }
    if (file < 0 && link != NULL && checksum == 0)
        *user_data = &lacks_supplement;
    return file;
}

Dwarf *debug_file_of(Dwfl_Module *module, Dwarf_Addr *ret_bias)
{
    void **user_data = NULL;
    Elf *elf = dwfl_module_getelf(module, ret_bias);
    if (elf != NULL && !debug_sections_are_bounded(elf))
        return NULL;
    Dwarf *debug = dwfl_module_getdwarf(module, ret_bias);
    dwfl_module_info(module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
    return user_data != NULL && *user_data == &lacks_supplement ? NULL : debug;
}
