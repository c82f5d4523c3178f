/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the target that has opened the debug information of a file.
 *
 * A file's own claims must not decide whether it is the same. For a living process the kernel knows the mapped file,
 * but libdwfl opens the file that the process sees under its name: so both must see the same files. A core file has
 * only the name and the build id, by which libdwfl has chosen the file.
 */
#include "target/target_internal.h"

#include "target/target_kinds.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* More are opened by each target for itself. */
enum { MOST_OFFERS = 256 };

struct offer {
    struct target *target;
    uint64_t start;     /* of the module */
    const void *thread; /* whose targets may use it */
};

/* A module as it is compared. */
struct shared_module {
    Dwfl_Module *module;
    uint64_t start, bytes;
    const char *path; /* NULL: libdwfl has opened none */
    const unsigned char *build_id;
    int build_id_bytes; /* 0: not known */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct offer offers[MOST_OFFERS];
static size_t offer_count;
static _Thread_local char own_thread; /* its address tells threads apart */

static bool describe_module(struct target *target, uint64_t address, struct shared_module *ret_module)
{
    struct shared_module found = {.module = target->dwfl != NULL ? dwfl_addrmodule(target->dwfl, address) : NULL};
    Dwarf_Addr start, end;
    GElf_Addr where;
    if (found.module == NULL)
        return false;
    dwfl_module_getelf(found.module, &where); /* path and build id are known from then on */
    dwfl_module_info(found.module, NULL, &start, &end, NULL, NULL, &found.path, NULL);
    found.start = start;
    found.bytes = end - start;
    found.build_id_bytes = dwfl_module_build_id(found.module, &found.build_id, &where);
    if (found.build_id_bytes < 0)
        found.build_id_bytes = 0;
    *ret_module = found;
    return true;
}

static bool is_same_build(const struct shared_module *left, const struct shared_module *right)
{
    return left->path != NULL && right->path != NULL && strcmp(left->path, right->path) == 0 &&
           left->bytes == right->bytes && left->build_id_bytes == right->build_id_bytes &&
           (left->build_id_bytes == 0 || memcmp(left->build_id, right->build_id, (size_t)left->build_id_bytes) == 0);
}

static bool is_same_inode(const struct target *left, uint64_t left_start, const struct target *right,
                          uint64_t right_start)
{
    const struct mapped_file *one = mapped_files_find(&left->files, left_start);
    const struct mapped_file *other = mapped_files_find(&right->files, right_start);
    return one != NULL && other != NULL && one->inode != 0 && one->inode == other->inode &&
           one->device_major == other->device_major && one->device_minor == other->device_minor;
}

static bool is_same_directory(pid_t left, pid_t right, const char *name)
{
    char path[64];
    struct stat one, other;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)left, name);
    if (stat(path, &one) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)right, name);
    return stat(path, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool is_same_file(const struct offer *offer, const struct shared_module *offered, const struct target *target,
                         const struct shared_module *wanted)
{
    if (offer->target->kind != target->kind || !is_same_build(offered, wanted))
        return false;
    if (!target->kind->is_live)
        return wanted->build_id_bytes > 0;
    return is_same_inode(offer->target, offered->start, target, wanted->start) &&
           is_same_directory(offer->target->pid, target->pid, "ns/mnt") &&
           is_same_directory(offer->target->pid, target->pid, "root");
}

/* False: there is no further one. Nothing else is done under the lock: looking at files may block. */
static bool get_offer(size_t number, struct offer *ret_offer)
{
    pthread_mutex_lock(&lock);
    const bool is_there = number < offer_count;
    if (is_there)
        *ret_offer = offers[number];
    pthread_mutex_unlock(&lock);
    return is_there;
}

static bool is_offered(const struct offer *offer, const struct target *target, const struct shared_module *wanted,
                       struct shared_module *ret_offered)
{
    if (offer->thread != &own_thread || !describe_module(offer->target, offer->start, ret_offered))
        return false;
    return offer->target == target ? offer->start == wanted->start : is_same_file(offer, ret_offered, target, wanted);
}

Dwfl_Module *debug_sharing_find(struct target *target, uint64_t address, uint64_t *ret_there)
{
    struct shared_module wanted, offered;
    struct offer offer;
    if (!describe_module(target, address, &wanted))
        return NULL;
    for (size_t i = 0; get_offer(i, &offer); i++)
        if (is_offered(&offer, target, &wanted, &offered)) {
            *ret_there = address - wanted.start + offered.start;
            return offered.module;
        }
    *ret_there = address;
    return wanted.module;
}

void debug_sharing_offer(struct target *target, uint64_t address, const Dwfl_Module *module)
{
    struct shared_module own;
    if (!describe_module(target, address, &own) || own.module != module || own.path == NULL)
        return;
    pthread_mutex_lock(&lock);
    bool is_known = offer_count == MOST_OFFERS;
    for (size_t i = 0; i < offer_count && !is_known; i++)
        is_known = offers[i].target == target && offers[i].start == own.start;
    if (!is_known)
        offers[offer_count++] = (struct offer){.target = target, .start = own.start, .thread = &own_thread};
    pthread_mutex_unlock(&lock);
}

void debug_sharing_end(const struct target *target)
{
    size_t kept = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < offer_count; i++)
        if (offers[i].target != target)
            offers[kept++] = offers[i];
    offer_count = kept;
    pthread_mutex_unlock(&lock);
}
