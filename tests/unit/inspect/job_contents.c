/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs with a value in every member that a snapshot has.
 */
#include "job_contents.h"

#include "base/base.h"
#include "snapshot/snapshot_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct site places[] = {
    {.module = "/opt/ring", .function = "main", .file = "ring.c", .path = "src/ring.c", .line = 41},
    {.module = "/opt/lib.so", .offset = 0x1139, .hint = "compile lib.so with -g"},
    {.module = "/opt/ring",
     .function = "exchange",
     .file = "ring.c",
     .path = "../ring.c",
     .line = 1,
     .called = "solve"},
};

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 16;
}

struct filling {
    const struct snapshot_table *table;
    struct job *job;
    uint64_t state;
    size_t rows;
};

static const char *make_text(struct filling *filling)
{
    static const char *const odd[] = {"", "a 'name' with \"quotes\"", "\xff\xfe not UTF-8", "\xe2\x82\xac", "%s\n"};
    const uint64_t choice = next(&filling->state) % 20;
    if (choice < 5)
        return odd[choice];
    char text[32];
    snprintf(text, sizeof text, "MPI_Text_%u", (unsigned)choice);
    return text_pool_add(&filling->job->names, text);
}

static const struct group *make_group(struct filling *filling)
{
    const uint64_t choice = next(&filling->state) % 4;
    const struct mpilens_rank_range ranges[] = {{0, 1, 10}, {2000001, -3, 5}, {-1, 0, 7}};
    return choice == 3 ? NULL : group_pool_add_ranges(&filling->job->groups, ranges, choice);
}

static void fill_field(struct filling *filling, const struct snapshot_field *field, char *member)
{
    static const uint64_t extremes[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1, INT32_MAX};
    const uint64_t random = next(&filling->state);
    const uint64_t number = random % 2 ? extremes[random / 2 % 6] : next(&filling->state);
    const int32_t number32 = (int32_t)(uint32_t)number;
    const uint32_t enumerated = (uint32_t)(number % ((uint64_t)field->most + 1));
    const bool boolean = random % 2;
    const double seconds = random % 3 == 0 ? -1 : (double)random / 1e6;
    const char *text = make_text(filling);
    char *own = random % 3 == 0 || text[0] == '\0' ? NULL : copy_text(text);
    const struct site *site = random % 4 < 3 ? &places[random % 4] : NULL;
    const struct group *group = make_group(filling);
    switch (field->type) {
    case SNAPSHOT_BOOLEAN:
        memcpy(member, &boolean, sizeof boolean);
        break;
    case SNAPSHOT_CHARACTER:
        *member = (char)number;
        break;
    case SNAPSHOT_BYTES: /* not in the model */
        break;
    case SNAPSHOT_SIGNED32:
    case SNAPSHOT_UNSIGNED32:
        memcpy(member, field->most > 0 ? (const void *)&enumerated : (const void *)&number32, sizeof number32);
        break;
    case SNAPSHOT_SIGNED64:
    case SNAPSHOT_UNSIGNED64:
        memcpy(member, &number, sizeof number);
        break;
    case SNAPSHOT_SECONDS:
        memcpy(member, &seconds, sizeof seconds);
        break;
    case SNAPSHOT_TEXT:
        memcpy(member, &text, sizeof text);
        break;
    case SNAPSHOT_SITE:
        memcpy(member, &site, sizeof site);
        break;
    case SNAPSHOT_GROUP:
        memcpy(member, &group, sizeof group);
        break;
    case SNAPSHOT_OWN_TEXT:
        memcpy(member, &own, sizeof own);
        return;
    }
    free(own);
}

static int fill_row(void *context, void *row, int64_t number, int64_t parent_number)
{
    struct filling *filling = context;
    const struct snapshot_shared *shared = filling->table->shared;
    char *own = allocate(shared != NULL ? shared->bytes : 1);
    (void)number;
    (void)parent_number;
    for (size_t i = 0; i < filling->table->field_count; i++) {
        const struct snapshot_field *field = &filling->table->fields[i];
        fill_field(filling, field, (field->is_shared ? own : (char *)row) + field->offset);
    }
    const void *pointer = shared != NULL ? shared->share(filling->job, own) : NULL;
    if (shared != NULL)
        memcpy((char *)row + shared->offset, &pointer, sizeof pointer);
    free(own);
    return 0;
}

static int append_rows(void *context, void *parent, int64_t number, int64_t parent_number)
{
    const struct filling *filling = context;
    const size_t rows = filling->table->count_offset == SNAPSHOT_ONE ? 1 : filling->rows;
    (void)number;
    (void)parent_number;
    for (size_t i = 0; i < rows; i++)
        snapshot_append_row(filling->table, parent);
    return 0;
}

/* Members of a group of another size would be rejected; equal ids would make readers infer messages. */
static void make_sense(struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        struct communicator *communicator = &process->communicators[i];
        communicator->id = ((uint64_t)process->rank << 32) + i + 1;
        if (communicator->group != NULL)
            communicator->size = communicator->group->size;
        if (communicator->remote_group != NULL)
            communicator->remote_size = communicator->remote_group->size;
    }
}

struct job contents_create(uint64_t seed, size_t rows)
{
    struct job job = {0};
    struct filling filling = {.job = &job, .state = seed, .rows = rows};
    for (size_t i = 0; i < snapshot_table_count; i++) {
        filling.table = snapshot_tables[i];
        if (filling.table->parent != NULL)
            snapshot_for_each_row(&job, filling.table->parent, append_rows, &filling);
        snapshot_for_each_row(&job, filling.table, fill_row, &filling);
    }
    /* Members that follow from the rest. */
    free(job.mpi);
    job.mpi = copy_text("MPICH 4.0.2");
    job.size = MOST_RANKS;
    for (size_t i = 0; i < job.absent.count; i++)
        job.absent.ranges[i] = (struct rank_range){.first = 10 * (int)i, .last = 10 * (int)i + 5, .stride = 1};
    free(job.absent_reason);
    job.absent_reason = job.absent.count > 0 ? copy_text("it does not run on this host") : NULL;
    for (size_t i = 0; i < job.process_count; i++) {
        job.processes[i].rank = (int)i;
        make_sense(&job.processes[i]);
    }
    return job;
}

/* --- comparing --- */

static bool is_same_text(const char *left, const char *right)
{
    return strcmp(left != NULL ? left : "", right != NULL ? right : "") == 0;
}

static bool is_same_site(const struct site *left, const struct site *right)
{
    if (left == NULL || right == NULL)
        return left == right;
    return is_same_text(left->module, right->module) && is_same_text(left->function, right->function) &&
           is_same_text(left->file, right->file) && is_same_text(left->path, right->path) &&
           left->line == right->line && left->offset == right->offset && is_same_text(left->hint, right->hint) &&
           is_same_text(left->called, right->called) && (left->function == NULL) == (right->function == NULL);
}

static bool is_same_group(const struct group *left, const struct group *right)
{
    if (left == NULL || right == NULL)
        return left == right;
    return left->size == right->size && left->range_count == right->range_count &&
           (left->range_count == 0 ||
            memcmp(left->ranges, right->ranges, left->range_count * sizeof *left->ranges) == 0);
}

static const void *pointer_at(const char *member)
{
    const void *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static bool is_same(const struct snapshot_table *table, const struct snapshot_field *field, const void *left_row,
                    const void *right_row)
{
    const char *left = snapshot_member(table, field, left_row);
    const char *right = snapshot_member(table, field, right_row);
    switch (field->type) {
    case SNAPSHOT_BOOLEAN:
    case SNAPSHOT_CHARACTER:
        return *left == *right;
    case SNAPSHOT_SIGNED32:
    case SNAPSHOT_UNSIGNED32:
        return memcmp(left, right, sizeof(int32_t)) == 0;
    case SNAPSHOT_SIGNED64:
    case SNAPSHOT_UNSIGNED64:
    case SNAPSHOT_SECONDS:
        return memcmp(left, right, sizeof(int64_t)) == 0;
    case SNAPSHOT_TEXT:
        return pointer_at(right) != NULL && is_same_text(pointer_at(left), pointer_at(right));
    case SNAPSHOT_OWN_TEXT:
        return (pointer_at(left) == NULL) == (pointer_at(right) == NULL) &&
               is_same_text(pointer_at(left), pointer_at(right));
    case SNAPSHOT_SITE:
        return is_same_site(pointer_at(left), pointer_at(right));
    default:
        return is_same_group(pointer_at(left), pointer_at(right));
    }
}

struct rows {
    struct row {
        char *row;
        int64_t parent;
    } * items;
    size_t count;
};

static int note_row(void *context, void *row, int64_t number, int64_t parent_number)
{
    struct rows *rows = context;
    (void)number;
    rows->items = array_append(rows->items, &rows->count, sizeof *rows->items);
    rows->items[rows->count - 1] = (struct row){row, parent_number};
    return 0;
}

size_t contents_differences(struct job *expected, struct job *actual)
{
    size_t differences = 0;
    for (size_t i = 0; i < snapshot_table_count; i++) {
        const struct snapshot_table *table = snapshot_tables[i];
        struct rows left = {0}, right = {0};
        snapshot_for_each_row(expected, table, note_row, &left);
        snapshot_for_each_row(actual, table, note_row, &right);
        if (left.count != right.count) {
            fprintf(stderr, "%s: %zu rows, not %zu\n", table->name, right.count, left.count);
            differences++;
        }
        for (size_t j = 0; j < left.count && j < right.count; j++) {
            differences += left.items[j].parent != right.items[j].parent;
            for (size_t k = 0; k < table->field_count; k++)
                if (!is_same(table, &table->fields[k], left.items[j].row, right.items[j].row)) {
                    fprintf(stderr, "%s %zu: %s differs\n", table->name, j + 1, table->fields[k].name);
                    differences++;
                }
        }
        free(left.items);
        free(right.items);
    }
    return differences;
}
