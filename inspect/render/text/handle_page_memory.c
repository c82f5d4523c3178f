/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the page of a window or file.
 */
#include "render/text/handle_page_memory.h"

#include "base/allocation.h"
#include "base/rank_set.h"
#include "handle/handle_describe.h"
#include "mpilens/words.h"
#include "words/describe_object.h"

#include <inttypes.h>
#include <stdlib.h>

static char *describe_group(const struct group *group)
{
    if (group == NULL)
        return copy_text("?");
    int *ranks = allocate((size_t)group->size * sizeof *ranks);
    for (int32_t local = 0; local < group->size; local++)
        ranks[local] = group_world_rank(group, local);
    char *text = format_ranks(ranks, (size_t)group->size);
    free(ranks);
    return text;
}

static char *describe_epoch(uint32_t epoch, const char *of_group, const struct group *group)
{
    const char *phrase = mpilens_epoch_phrase(epoch);
    if (phrase == NULL)
        return copy_text("not known");
    if (epoch != MPILENS_EPOCH_GROUP)
        return copy_text(phrase);
    char *ranks = describe_group(group);
    char *text = format_text("%s of world ranks %s", of_group, ranks);
    free(ranks);
    return text;
}

static void write_locks(struct page *page, const struct window *window)
{
    if (window->lock_count == 0)
        return;
    char *count = format_text("%zu", window->lock_count);
    page_begin(page, "locks", count);
    for (size_t i = 0; i < window->lock_count; i++) {
        const struct window_lock *lock = &window->locks[i];
        char *rank = describe_rank(lock->target_local, lock->target_world);
        char *label = format_text("rank %s", rank);
        char *site = describe_site(lock->site);
        char *age = describe_age(lock->age_s);
        page_write(page, label, "%s%s%s%s%s", describe_lock(lock->type), site[0] != '\0' ? ", " : "", site,
                   age[0] != '\0' ? ", for " : "", age);
        free(rank);
        free(label);
        free(site);
        free(age);
    }
    page_end(page);
    free(count);
}

void page_window(struct page *page, const struct handle *handle)
{
    const struct window *window = handle->window;
    if (window == NULL)
        return;
    const char *flavor = mpilens_window_flavor_phrase(window->flavor);
    if (flavor != NULL)
        page_write(page, "flavor", "%s", flavor);
    if (window->flavor != MPILENS_WINDOW_DYNAMIC) {
        page_write(page, "memory", "%" PRIu64 " bytes at 0x%" PRIx64, window->bytes, window->base);
        page_write(page, "displacement unit", "%d", window->displacement_unit);
    }
    page_take(page, "access epoch", describe_epoch(window->access_epoch, "start", window->access_group));
    page_take(page, "exposure epoch", describe_epoch(window->exposure_epoch, "post", window->exposure_group));
    write_locks(page, window);
    if (window->synchronization[0] != '\0') {
        char *site = describe_site(window->synchronization_site);
        char *age = describe_age(window->synchronization_age_s);
        page_write(page, "last synchronization", "%s%s%s%s%s", window->synchronization, site[0] != '\0' ? " at " : "",
                   site, age[0] != '\0' ? ", " : "", age);
        free(site);
        free(age);
    }
    page_write(page, "operations", "%" PRIu64 ", %" PRIu64 " since they were last completed", window->operations,
               window->operations_since);
    page_write(page, "unique id", "%" PRIu64 " (equal at all members)", window->id);
}

static char *describe_mode(uint32_t mode)
{
    char *text = copy_text("");
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *word = mpilens_file_mode_word(mode & bit);
        if (word == NULL)
            continue;
        char *longer = format_text("%s%s%s", text, text[0] != '\0' ? ", " : "", word);
        free(text);
        text = longer;
    }
    return text;
}

void page_file(struct page *page, const struct handle *handle)
{
    const struct file *file = handle->file;
    if (file == NULL)
        return;
    page_take(page, "mode", describe_mode(file->mode));
    page_write(page, "atomicity", file->atomicity ? "yes" : "no");
    if (file->view_etype[0] != '\0' || file->view_displacement >= 0) {
        page_begin(page, "view", file->view_representation);
        page_write(page, "displacement", "%" PRId64, file->view_displacement);
        page_write(page, "etype", "%s", file->view_etype);
        page_write(page, "filetype", "%s", file->view_filetype);
        page_end(page);
    }
    if (file->split_collective[0] != '\0') {
        char *site = describe_site(handle->split_collective_site);
        page_write(page, "split collective", "%s%s%s", file->split_collective, site[0] != '\0' ? " at " : "", site);
        free(site);
    }
    page_write(page, "operations", "%" PRIu64, file->operations);
    page_write(page, "unique id", "%" PRIu64 " (equal at all members)", file->id);
}
