/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger of one process.
 */
#include "debugger.h"

#include "target.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int failures;

static struct {
    mqs_image_info *image_info;
    mqs_process_info *process_info;
} slots[2];
static char image;
static char process;
static int held[2];
static int allocations_left = -1;
static int read_count;

/* Before every block: of which allocator it is. */
struct head {
    long owner;
    long reserved;
};

static void *allocate(size_t bytes, int owner)
{
    if (allocations_left == 0)
        return NULL;
    if (allocations_left > 0)
        allocations_left--;
    struct head *head = malloc(sizeof *head + bytes);
    if (head == NULL)
        abort();
    head->owner = owner + 1;
    held[owner]++;
    return memset(head + 1, 0xa5, bytes);
}

static void give_back(void *memory, int owner)
{
    struct head *head = (struct head *)memory - 1;
    if (memory == NULL || head->owner != owner + 1)
        abort();
    head->owner = 0;
    held[owner]--;
    free(head);
}

#define CALLBACKS_OF(n)                                                                                                \
    static void *malloc_##n(size_t bytes)                                                                              \
    {                                                                                                                  \
        return allocate(bytes, n);                                                                                     \
    }                                                                                                                  \
    static void free_##n(void *memory)                                                                                 \
    {                                                                                                                  \
        give_back(memory, n);                                                                                          \
    }                                                                                                                  \
    static void put_image_##n(mqs_image *of, mqs_image_info *info)                                                     \
    {                                                                                                                  \
        (void)of;                                                                                                      \
        slots[n].image_info = info;                                                                                    \
    }                                                                                                                  \
    static mqs_image_info *get_image_##n(mqs_image *of)                                                                \
    {                                                                                                                  \
        (void)of;                                                                                                      \
        return slots[n].image_info;                                                                                    \
    }                                                                                                                  \
    static void put_process_##n(mqs_process *of, mqs_process_info *info)                                               \
    {                                                                                                                  \
        (void)of;                                                                                                      \
        slots[n].process_info = info;                                                                                  \
    }                                                                                                                  \
    static mqs_process_info *get_process_##n(mqs_process *of)                                                          \
    {                                                                                                                  \
        (void)of;                                                                                                      \
        return slots[n].process_info;                                                                                  \
    }
CALLBACKS_OF(0)
CALLBACKS_OF(1)

const mqs_basic_callbacks basic_callbacks = {malloc_0,    free_0,      NULL,          NULL,
                                             put_image_0, get_image_0, put_process_0, get_process_0};
const mqs_basic_callbacks other_basic_callbacks = {malloc_1,    free_1,      NULL,          NULL,
                                                   put_image_1, get_image_1, put_process_1, get_process_1};

static int find_symbol(mqs_image *of, char *name, mqs_taddr_t *ret_address)
{
    (void)of;
    *ret_address = target_symbol(name);
    return *ret_address ? 0 : 1;
}

/* Knows two types. */
static mqs_type *find_type(mqs_image *of, char *name, mqs_lang_code language)
{
    (void)of;
    static char comm;
    static char cartcomm;
    if (language == mqs_lang_c && strcmp(name, "MPI_Comm") == 0)
        return (mqs_type *)(void *)&comm;
    return language == mqs_lang_cplus && strcmp(name, "MPI::Cartcomm") == 0 ? (mqs_type *)(void *)&cartcomm : NULL;
}

const mqs_image_callbacks image_callbacks = {.find_symbol_fp = find_symbol, .find_type_fp = find_type};

static mqs_image *get_image(mqs_process *of)
{
    (void)of;
    return the_image();
}

static int fetch_data(mqs_process *of, mqs_taddr_t address, int bytes, void *ret_bytes)
{
    (void)of;
    read_count++;
    return target_read(address, bytes, ret_bytes) ? 0 : 1;
}

const mqs_process_callbacks process_callbacks = {.get_image_fp = get_image, .fetch_data_fp = fetch_data};

mqs_image *the_image(void)
{
    return (mqs_image *)(void *)&image;
}

mqs_process *the_process(void)
{
    return (mqs_process *)(void *)&process;
}

mqs_image_info *image_info(void)
{
    return slots[0].image_info;
}

mqs_process_info *process_info(void)
{
    return slots[0].process_info;
}

int blocks_held(void)
{
    return held[0] + held[1];
}

void fail_after(int allocations)
{
    allocations_left = allocations;
}

int reads(void)
{
    return read_count;
}

void *symbol(const char *name)
{
    static void *library;
    if (library == NULL)
        library = dlopen(DLL_PATH, RTLD_NOW | RTLD_LOCAL);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL) {
        printf("%s: %s\n", name, dlerror());
        exit(1);
    }
    return found;
}
