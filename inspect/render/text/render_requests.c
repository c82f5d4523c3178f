/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that stand in no queue as a table: nonblocking collectives, one-sided and file operations, and the like.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "words/words.h"

enum { RANK, REQUEST, PEER, BYTES, COUNT, DATATYPE, PLACE, STATUS, AGE, CALL, SITE, COLUMNS };

static const struct text_column columns[COLUMNS] = {
    [RANK] = {"RANK", true, false},   [REQUEST] = {"REQUEST", false, false}, [PEER] = {"PEER", false, false},
    [BYTES] = {"BYTES", true, false}, [COUNT] = {"COUNT", true, false},      [DATATYPE] = {"DATATYPE", false, false},
    [PLACE] = {"ON", false, false},   [STATUS] = {"STATUS", false, false},   [AGE] = {"AGE", true, false},
    [CALL] = {"CALL", false, false},  [SITE] = {"SITE", false, true},
};

/* "root 0", "target 3", "-> 2, tag 7"; `rank` is the peer's number, or what stands for it. Takes `rank`. */
static const char *describe_peer(const struct operation *request, const char *rank)
{
    const bool is_message = (operation_class(request) & MPILENS_OPERATION_MESSAGE_CLASSES) != 0;
    if (!is_message && request->peer_local < 0)
        return "";
    const char *tag = describe_tag(request->tag_wild, request->tag);
    return is_message
               ? arena_text("%s %s, %s", operation_class(request) == MPILENS_OPERATION_SEND ? "->" : "<-", rank, tag)
               : arena_text("%s %s", request->has_root ? "root" : "target", rank);
}

static void add_row(void *context, const struct request_row *shown)
{
    const struct operation *request = shown->request;
    const bool has_data = request->details->datatype[0] != '\0';
    struct merged_row row = {.what = shown->name, .age_s = request->age_s};
    if (open_peer_of(request->peer_local, request->peer_world, shown->communicator, &row.peer))
        row.open_peer = describe_peer(request, arena_copy(PEER_MARK));
    else
        row.cells[PEER] = describe_peer(request, describe_rank(request->peer_local, request->peer_world));
    row.cells[BYTES] =
        has_data && request->details->bytes >= 0 ? arena_text("%lld", (long long)request->details->bytes) : "";
    row.cells[COUNT] =
        has_data && request->details->count >= 0 ? arena_text("%lld", (long long)request->details->count) : "";
    row.cells[DATATYPE] = arena_copy(request->details->datatype);
    row.cells[PLACE] = shown->place;
    row.cells[STATUS] = arena_copy(shown->status);
    row.cells[CALL] = arena_copy(request->details->function);
    row.cells[SITE] = shown->site;
    merged_rows_add(context, &row);
}

int render_requests(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                    const struct render_options *options)
{
    struct merged_rows rows = {.layout = {.columns = columns,
                                          .column_count = COLUMNS,
                                          .rank = RANK,
                                          .peer = PEER,
                                          .what = REQUEST,
                                          .age = AGE,
                                          .single = COLUMNS,
                                          .all = options->all}};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(&options->ranks, process->rank))
            continue;
        merged_rows_begin(&rows, process->rank);
        visit_request_rows(process, labels, options->objects, add_row, &rows);
        merged_rows_end(&rows);
    }
    return merged_rows_finish(&rows, stream, options->color);
}
