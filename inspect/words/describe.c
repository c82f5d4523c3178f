/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes small parts of the model in words.
 */
#include "words/words.h"

#include "base/base.h"
#include "mpilens/words.h"

#include <stdlib.h>
#include <string.h>

static int compare_labels(const void *left_label, const void *right_label)
{
    const struct communicator_label *left = left_label;
    const struct communicator_label *right = right_label;
    return left->id < right->id ? -1 : left->id > right->id;
}

static int compare_creation(const void *left_label, const void *right_label)
{
    const struct communicator_label *left = left_label;
    const struct communicator_label *right = right_label;
    const int text = strcmp(left->text, right->text);
    if (text != 0)
        return text;
    if (left->serial != right->serial)
        return left->serial < right->serial ? -1 : 1;
    return compare_labels(left, right);
}

static const char *base_label(const struct communicator *communicator)
{
    if (communicator->name[0] != '\0')
        return arena_copy(communicator->name);
    if (communicator->id == 0)
        return "unknown communicator";
    const char *origin = describe_origin(communicator);
    return origin != NULL ? origin : "unnamed communicator";
}

static void add_labels(const struct process *process, struct communicator_labels *labels)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        labels->items = arena_append(labels->items, &labels->count, sizeof *labels->items);
        labels->items[labels->count - 1] = (struct communicator_label){
            .id = communicator->id, .serial = communicator->serial, .text = base_label(communicator)};
    }
}

static void drop_duplicates(struct communicator_labels *labels)
{
    qsort(labels->items, labels->count, sizeof *labels->items, compare_labels);
    size_t last = 0;
    for (size_t i = 1; i < labels->count; i++)
        if (labels->items[i].id != labels->items[last].id)
            labels->items[++last] = labels->items[i];
    labels->count = last + 1;
}

static void number_equals(struct communicator_labels *labels)
{
    qsort(labels->items, labels->count, sizeof *labels->items, compare_creation);
    for (size_t first = 0, end; first < labels->count; first = end) {
        for (end = first + 1; end < labels->count && strcmp(labels->items[end].text, labels->items[first].text) == 0;)
            end++;
        for (size_t i = first; end - first > 1 && i < end; i++) {
            const char *numbered = arena_text("%s #%zu", labels->items[i].text, i - first + 1);
            labels->items[i].text = numbered;
        }
    }
}

struct communicator_labels label_communicators(const struct job *job)
{
    struct communicator_labels labels = {0};
    for (size_t i = 0; i < job->process_count; i++)
        add_labels(&job->processes[i], &labels);
    if (labels.count > 0) {
        drop_duplicates(&labels);
        number_equals(&labels);
        qsort(labels.items, labels.count, sizeof *labels.items, compare_labels);
    }
    return labels;
}

const char *find_label(const struct communicator_labels *labels, uint64_t id)
{
    const struct communicator_label wanted = {.id = id};
    const struct communicator_label *found =
        labels->count > 0 ? bsearch(&wanted, labels->items, labels->count, sizeof *labels->items, compare_labels)
                          : NULL;
    return found != NULL ? found->text : "?";
}

const char *describe_origin(const struct communicator *communicator)
{
    if (communicator->function[0] == '\0')
        return NULL;
    if (communicator->parent_name[0] == '\0')
        return arena_copy(communicator->function);
    return arena_text("%s of %s", communicator->function, communicator->parent_name);
}

const char *describe_rank(int32_t local, int32_t world)
{
    if (local < 0)
        return "any";
    return world < 0 || world == local ? arena_text("%d", local) : arena_text("%d (world %d)", local, world);
}

const char *describe_tag(bool wild, int32_t tag)
{
    return wild ? "any tag" : arena_text("tag %d", tag);
}

const char *describe_amount(int64_t count, int64_t bytes, const char *datatype)
{
    if (count < 0 || datatype[0] == '\0')
        return bytes >= 0 ? arena_text("%lld bytes", (long long)bytes) : "";
    if (bytes < 0)
        return arena_text("%lld x %s", (long long)count, datatype);
    return arena_text("%lld x %s (%lld bytes)", (long long)count, datatype, (long long)bytes);
}

/* "H5Dwrite, called at store.c:12". */
static const char *describe_called(const struct site *site)
{
    if (site->file != NULL)
        return arena_text("%s, called at %s:%d", site->called, site->file, site->line);
    return arena_text("%s, called by %s", site->called, arena_take(site_describe_function(site)));
}

const char *describe_site(const struct site *site)
{
    if (site == NULL)
        return "";
    if (site->called != NULL)
        return describe_called(site);
    if (site->file == NULL) {
        const char *place = arena_take(site_describe_offset(site));
        return site->function != NULL ? arena_text("%s %s", place, site->function) : arena_copy(place);
    }
    return arena_text("%s:%d %s", site->file, site->line, site->function != NULL ? site->function : "");
}

const char *describe_age(double age_s)
{
    if (age_s < 0)
        return "";
    if (age_s < 100)
        return arena_text("%.1f s", age_s);
    if (age_s < 600)
        return arena_text("%.0f s", age_s);
    const long minutes = (long)(age_s / 60);
    if (minutes < 120)
        return arena_text("%ld min", minutes);
    return arena_text("%ld h %02ld min", minutes / 60, minutes % 60);
}

const char *describe_operation_status(const struct operation *operation)
{
    if (operation->inferred || operation->exact)
        return arena_copy(operation->exact ? "exact" : "inferred");
    const char *word = mpilens_status_word((uint32_t)operation->status);
    const char *status = word != NULL ? word : "?";
    if ((operation->flags & MPILENS_OPERATION_PARTITIONED) == 0 || operation->details->partitions_marked < 0)
        return arena_copy(status);
    return arena_text("%s, %lld of %lld %s", status, (long long)operation->details->partitions_marked,
                      (long long)operation->details->partition_count,
                      (operation->flags & MPILENS_OPERATION_SEND) != 0 ? "ready" : "arrived");
}

const char *describe_state(enum process_state state)
{
    switch (state) {
    case PROCESS_INITIALIZING:
        return mpilens_process_state_word(MPILENS_PROCESS_INITIALIZING);
    case PROCESS_RUNNING:
        return mpilens_process_state_word(MPILENS_PROCESS_RUNNING);
    case PROCESS_FINALIZING:
        return mpilens_process_state_word(MPILENS_PROCESS_FINALIZING);
    case PROCESS_FINALIZED:
        return mpilens_process_state_word(MPILENS_PROCESS_FINALIZED);
    case PROCESS_EXITED:
        return "exited";
    default:
        return "unreadable";
    }
}
