/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI library a dynamic program needs: walks DT_NEEDED, searching files as the dynamic linker does (ld.so(8)):
 * DT_RPATH of the object and of those that need it unless it has DT_RUNPATH, LD_LIBRARY_PATH, DT_RUNPATH, the cache,
 * the standard directories. No code of the program runs. `ld.so --list` would be a process for each of the files that a
 * script may start, and answers only for programs of its own C library and machine.
 */
#include "launch/launch.h"

#include "base/base.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More objects than this no program has; it ends damaged files. */
enum { MOST_OBJECTS = 4096 };

struct object {
    char *path;
    char *name; /* as in DT_NEEDED */
    char *rpath;
    char *runpath;
    size_t parent; /* that needs it; of the program itself: its own number */
    int elf_class;
};

struct search {
    struct object *objects;
    size_t count;
    struct library_cache cache;
};

static bool suits(const char *path, const struct object *program)
{
    unsigned char header[EI_NIDENT + 4];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t length = pread(file, header, sizeof header, 0);
    close(file);
    return length == (ssize_t)sizeof header && memcmp(header, ELFMAG, SELFMAG) == 0 &&
           header[EI_CLASS] == program->elf_class;
}

/* The first directory of a path list that has the library; `origin` is the object that the list stands in. */
static char *search_list(const char *list, const char *origin, const char *name, const struct object *program)
{
    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ":;");
        char *directory = format_text("%.*s", (int)length, list);
        const char *slash = strrchr(origin, '/');
        const int origin_length = slash != NULL ? (int)(slash - origin) : 1;
        const size_t token = strncmp(directory, "$ORIGIN", 7) == 0     ? 7
                             : strncmp(directory, "${ORIGIN}", 9) == 0 ? 9
                                                                       : 0;
        char *candidate =
            token > 0 ? format_text("%.*s%s/%s", origin_length, slash != NULL ? origin : ".", directory + token, name)
                      : format_text("%s/%s", length > 0 ? directory : ".", name);
        free(directory);
        if (suits(candidate, program))
            return candidate;
        free(candidate);
        list += length + (list[length] != '\0');
    }
    return NULL;
}

static char *search_rpaths(const struct search *search, size_t number, const char *name)
{
    if (search->objects[number].runpath != NULL)
        return NULL;
    for (;;) {
        const struct object *object = &search->objects[number];
        char *found = search_list(object->rpath, object->path, name, &search->objects[0]);
        if (found != NULL || object->parent == number)
            return found;
        number = object->parent;
    }
}

static char *search_library(const struct search *search, size_t number, const char *name)
{
    const struct object *object = &search->objects[number];
    const struct object *program = &search->objects[0];
    if (strchr(name, '/') != NULL)
        return copy_text(name);
    char *found = search_rpaths(search, number, name);
    if (found == NULL)
        found = search_list(getenv("LD_LIBRARY_PATH"), object->path, name, program);
    if (found == NULL)
        found = search_list(object->runpath, object->path, name, program);
    const char *cached;
    for (size_t n = 0; found == NULL && (cached = library_cache_find(&search->cache, name, n)) != NULL; n++)
        if (suits(cached, program))
            found = copy_text(cached);
    return found != NULL ? found : search_list("/lib64:/usr/lib64:/lib:/usr/lib", object->path, name, program);
}

static bool is_known(const struct search *search, const char *name)
{
    for (size_t i = 0; i < search->count; i++)
        if (strcmp(search->objects[i].name, name) == 0)
            return true;
    return false;
}

/* Takes path. */
static void add_object(struct search *search, char *path, const char *name, size_t parent)
{
    search->objects = array_append(search->objects, &search->count, sizeof *search->objects);
    struct object *object = &search->objects[search->count - 1];
    object->path = path;
    object->name = copy_text(name);
    object->parent = parent;
}

/* Calls for each DT_NEEDED of the section: the MPI that it names, or adds the library to the search. */
static const struct mpi_family *walk_needed(struct search *search, size_t number, Elf *elf, const GElf_Shdr *header,
                                            Elf_Data *data)
{
    const struct mpi_family *mpi = NULL;
    const size_t count = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) { /* paths first, they say where to search */
        GElf_Dyn entry;
        if (gelf_getdyn(data, (int)i, &entry) == NULL || (entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH))
            continue;
        const char *text = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
        struct object *object = &search->objects[number];
        char **path = entry.d_tag == DT_RPATH ? &object->rpath : &object->runpath;
        if (text != NULL && *path == NULL)
            *path = copy_text(text);
    }
    for (size_t i = 0; i < count && mpi == NULL; i++) {
        GElf_Dyn entry;
        if (gelf_getdyn(data, (int)i, &entry) == NULL || entry.d_tag != DT_NEEDED)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
        if (name == NULL || is_known(search, name) || search->count == MOST_OBJECTS)
            continue;
        mpi = mpi_family_of_library(file_name(name));
        char *path = mpi == NULL ? search_library(search, number, name) : NULL;
        if (path != NULL)
            add_object(search, path, name, number);
    }
    return mpi;
}

static const struct mpi_family *walk_object(struct search *search, size_t number)
{
    const struct mpi_family *mpi = NULL;
    const int file = open(search->objects[number].path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    GElf_Ehdr header;
    if (elf != NULL && gelf_getehdr(elf, &header) != NULL) {
        search->objects[number].elf_class = header.e_ident[EI_CLASS];
        for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL && mpi == NULL;
             section = elf_nextscn(elf, section)) {
            GElf_Shdr section_header;
            Elf_Data *data;
            if (gelf_getshdr(section, &section_header) != NULL && section_header.sh_type == SHT_DYNAMIC &&
                (data = elf_getdata(section, NULL)) != NULL)
                mpi = walk_needed(search, number, elf, &section_header, data);
        }
    }
    if (elf != NULL)
        elf_end(elf);
    if (file >= 0)
        close(file);
    return mpi;
}

const struct mpi_family *find_needed_mpi(const char *path)
{
    struct search search = {.cache = library_cache_open("/etc/ld.so.cache")};
    const struct mpi_family *mpi = NULL;
    elf_version(EV_CURRENT);
    char *absolute = realpath(path, NULL);
    add_object(&search, absolute != NULL ? absolute : copy_text(path), "", 0);
    for (size_t i = 0; i < search.count && mpi == NULL; i++)
        mpi = walk_object(&search, i);
    for (size_t i = 0; i < search.count; i++) {
        free(search.objects[i].path);
        free(search.objects[i].name);
        free(search.objects[i].rpath);
        free(search.objects[i].runpath);
    }
    free(search.objects);
    library_cache_close(&search.cache);
    return mpi;
}
