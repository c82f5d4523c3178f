/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remembers symbols by file.
 */
#include "target/target_internal.h"

#include "base/base.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Limits of one file, and of files: symbols beyond these are searched again. */
enum { MOST_SYMBOLS = 64, MOST_FILES = 4096 };

struct searched_file {
    struct mapped_file file; /* start: not compared */
    char *path;
    struct known_symbol {
        char *name;
        uint64_t offset;
    } * symbols;
    size_t symbol_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *searched_files; /* tsearch tree */
static size_t searched_count;

static int order(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_files(const void *left_file, const void *right_file)
{
    const struct searched_file *left = left_file, *right = right_file;
    int result = order(left->file.inode, right->file.inode);
    if (result == 0)
        result = order(left->file.device_major, right->file.device_major);
    if (result == 0)
        result = order(left->file.device_minor, right->file.device_minor);
    return result != 0 ? result : strcmp(left->path, right->path);
}

static struct searched_file *find_file(const struct mapped_file *file, const char *path)
{
    const struct searched_file wanted = {.file = *file, .path = (char *)path};
    struct searched_file *const *found = tfind(&wanted, &searched_files, compare_files);
    return found != NULL ? *found : NULL;
}

static struct searched_file *add_file(const struct mapped_file *file, const char *path)
{
    if (searched_count == MOST_FILES)
        return NULL;
    struct searched_file *searched = allocate(sizeof *searched);
    searched->file = *file;
    searched->path = copy_text(path);
    tsearch(searched, &searched_files, compare_files);
    searched_count++;
    return searched;
}

static const struct known_symbol *find_symbol(const struct searched_file *searched, const char *name)
{
    for (size_t i = 0; searched != NULL && i < searched->symbol_count; i++)
        if (strcmp(searched->symbols[i].name, name) == 0)
            return &searched->symbols[i];
    return NULL;
}

bool known_symbol_find(const struct mapped_file *file, const char *path, const char *symbol, uint64_t *ret_offset)
{
    pthread_mutex_lock(&lock);
    const struct known_symbol *known = find_symbol(find_file(file, path), symbol);
    if (known != NULL)
        *ret_offset = known->offset;
    pthread_mutex_unlock(&lock);
    return known != NULL;
}

void known_symbol_add(const struct mapped_file *file, const char *path, const char *symbol, uint64_t offset)
{
    pthread_mutex_lock(&lock);
    struct searched_file *searched = find_file(file, path);
    if (searched == NULL)
        searched = add_file(file, path);
    if (searched != NULL && searched->symbol_count < MOST_SYMBOLS && find_symbol(searched, symbol) == NULL) {
        searched->symbols = array_append(searched->symbols, &searched->symbol_count, sizeof *searched->symbols);
        searched->symbols[searched->symbol_count - 1] =
            (struct known_symbol){.name = copy_text(symbol), .offset = offset};
    }
    pthread_mutex_unlock(&lock);
}
