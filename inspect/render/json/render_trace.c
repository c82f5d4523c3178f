/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last calls of all ranks as a trace in Chrome's JSON format, which Perfetto and chrome://tracing show: a process
 * for each rank, a track for each of its threads, one for its collective calls, and an arrow for each message.
 */
#include "render/json/render_json_internal.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "file/file.h"
#include "words/words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    COLLECTIVE_TRACK = 0, /* their threads are not remembered; no thread has this number */
    TICKS_OF_STEP = 1000,
    THREAD_SHIFT = 40, /* of serials */
};

struct trace {
    struct json_stream stream;
    const struct job *job;
    const struct rank_set *chosen;
    const struct process *latest; /* ages are until different moments; NULL: there is no process */
    const struct communicator_labels *labels;
    struct message_pairs pairs;
    bool has_ages; /* else there is no time but ticks */
    double first;  /* time of the first event */
};

/* The newest event of a thread, in microseconds. */
struct track {
    uint64_t thread;
    int64_t end;
};

struct tracks {
    struct track *items;
    size_t count;
};

static bool is_shown(const struct trace *trace, const struct process *process)
{
    return process->rank >= 0 && process->reason == NULL && rank_is_chosen(trace->chosen, process->rank);
}

/* Microseconds from some moment on, or steps of ticks. */
static double time_of(const struct trace *trace, const struct process *process, uint64_t ticks, double age_s)
{
    if (!trace->has_ages)
        return (double)ticks / TICKS_OF_STEP;
    return -(age_s + process_ages_delay_s(process, trace->latest)) * 1e6;
}

static int64_t place_on_axis(const struct trace *trace, double time)
{
    const double distance = time - trace->first;
    return distance > 0 && distance < 1e15 ? (int64_t)distance : 0;
}

static int64_t thread_track(const struct process *process, uint64_t thread)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].index == thread && process->threads[i].tid != 0)
            return process->threads[i].tid;
    return (int64_t)thread + 1;
}

static void open_event(struct trace *trace, const char *phase, const char *name, int64_t time, int rank, int64_t track)
{
    struct json_stream *stream = &trace->stream;
    json_stream_open_object(stream, NULL);
    json_stream_any_text(stream, "ph", phase);
    json_stream_any_text(stream, "name", name);
    json_stream_integer(stream, "ts", time);
    json_stream_integer(stream, "pid", rank);
    json_stream_integer(stream, "tid", track);
}

static void write_name(struct trace *trace, const char *what, const char *name, int rank, int64_t track)
{
    open_event(trace, "M", what, 0, rank, track);
    json_stream_open_object(&trace->stream, "args");
    json_stream_any_text(&trace->stream, "name", name);
    json_stream_close(&trace->stream);
    json_stream_close(&trace->stream);
}

static void close_event(struct trace *trace, const char *call, const struct site *site)
{
    json_stream_open_object(&trace->stream, "args");
    json_stream_text(&trace->stream, "call", call);
    json_stream_text(&trace->stream, "place", describe_site(site));
    json_stream_close(&trace->stream);
    json_stream_close(&trace->stream);
}

static struct track *find_track(struct tracks *tracks, uint64_t thread)
{
    for (size_t i = 0; i < tracks->count; i++)
        if (tracks->items[i].thread == thread)
            return &tracks->items[i];
    tracks->items = array_append(tracks->items, &tracks->count, sizeof *tracks->items);
    tracks->items[tracks->count - 1].thread = thread;
    return &tracks->items[tracks->count - 1];
}

/* Calls of one thread begin one after the other, also where the clock is not so fine. */
static int64_t next_on_track(struct track *track, int64_t time)
{
    const int64_t begin = time < track->end ? track->end : time;
    track->end = begin + 1;
    return begin;
}

/* One end of an arrow, in the slice of its call. */
static void write_arrow(struct trace *trace, const struct message_end *own, const struct message_end *other,
                        int64_t time, int64_t track)
{
    const bool is_send = (own->operation->flags & MPILENS_OPERATION_SEND) != 0;
    const struct message_end *send = is_send ? own : other;
    open_event(trace, is_send ? "s" : "f", "message", time, own->process->rank, track);
    json_stream_any_text(&trace->stream, "cat", "message");
    json_stream_any_text(&trace->stream, "id", arena_text("%d:%" PRIu64, send->process->rank, send->operation->serial));
    if (!is_send)
        json_stream_any_text(&trace->stream, "bp", "e");
    json_stream_close(&trace->stream);
}

static void write_message(struct trace *trace, const struct message_end *end, struct tracks *tracks)
{
    const struct operation *operation = end->operation;
    const struct message_end *other = message_history_other(&trace->pairs, operation);
    const bool has_arrow = other != NULL && is_shown(trace, other->process);
    const uint64_t thread = operation->serial >> THREAD_SHIFT;
    const int64_t number = thread_track(end->process, thread);
    const int64_t time =
        next_on_track(find_track(tracks, thread),
                      place_on_axis(trace, time_of(trace, end->process, operation->posted, operation->age_s)));
    open_event(trace, has_arrow ? "X" : "i", operation->details->function, time, end->process->rank, number);
    json_stream_any_text(&trace->stream, "cat", "message");
    if (has_arrow)
        json_stream_integer(&trace->stream, "dur", 1);
    else
        json_stream_any_text(&trace->stream, "s", "t");
    close_event(trace, describe_operation(operation, end->communicator, trace->labels), operation->details->site);
    if (has_arrow)
        write_arrow(trace, end, other, time, number);
}

/* Whether the thread's present call is shown as that: it is still in it. */
static bool is_in_blocking(const struct process *process, const struct operation *operation)
{
    if (operation->status == mqs_st_complete || (operation->flags & MPILENS_OPERATION_BLOCKING) == 0)
        return false;
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].index == operation->serial >> THREAD_SHIFT)
            return process->threads[i].function[0] != '\0';
    return false;
}

static void write_present_call(struct trace *trace, const struct process *process, const struct thread *thread,
                               struct tracks *tracks)
{
    if (thread->function[0] == '\0' || thread->ended)
        return;
    const int64_t begin = next_on_track(find_track(tracks, thread->index),
                                        place_on_axis(trace, time_of(trace, process, thread->entered, thread->age_s)));
    const int64_t end = trace->has_ages ? place_on_axis(trace, time_of(trace, process, 0, 0)) : begin + 1;
    open_event(trace, "X", thread->function, begin, process->rank, thread_track(process, thread->index));
    json_stream_any_text(&trace->stream, "cat", "present");
    json_stream_integer(&trace->stream, "dur", end > begin ? end - begin : 1);
    close_event(trace, describe_call(process, thread, trace->labels), thread->site);
}

/* On a communicator, window or file with that name. */
static void write_collectives(struct trace *trace, const struct process *process, const struct collective_call *calls,
                              size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        const struct collective_call *call = &calls[i];
        const int64_t time = place_on_axis(trace, time_of(trace, process, call->entered, call->age_s));
        const struct arena_mark mark = arena_mark();
        open_event(trace, "i", call->function, time, process->rank, COLLECTIVE_TRACK);
        json_stream_any_text(&trace->stream, "cat", "collective");
        json_stream_any_text(&trace->stream, "s", "t");
        close_event(trace, arena_text("call %" PRIu64 " on %s", call->serial, name), call->site);
        arena_release(mark);
    }
}

static void write_collectives_of_object(struct trace *trace, const struct process *process, const struct object *object)
{
    const struct arena_mark mark = arena_mark();
    const struct job_member member = {.process = process, .object = object};
    if (object->collective_call_count > 0)
        write_collectives(trace, process, object->recent_collectives, object->collective_call_count,
                          describe_order(&(struct cause_text){.labels = trace->labels}, &member));
    arena_release(mark);
}

static void write_process(struct trace *trace, const struct process *process)
{
    const struct arena_mark all = arena_mark();
    const struct message_history history = message_history_of(process);
    struct tracks tracks = {.count = 0};
    write_name(trace, "process_name", arena_text("rank %d", process->rank), process->rank, COLLECTIVE_TRACK);
    write_name(trace, "thread_name", "collective calls", process->rank, COLLECTIVE_TRACK);
    for (size_t i = 0; i < process->thread_count; i++)
        write_name(trace, "thread_name", arena_text("thread %" PRIu32, process->threads[i].index), process->rank,
                   thread_track(process, process->threads[i].index));
    for (size_t i = 0; i < process->communicator_count; i++)
        write_collectives(trace, process, process->communicators[i].recent_collectives,
                          process->communicators[i].collective_call_count,
                          find_label(trace->labels, process->communicators[i].id));
    for (size_t i = 0; i < process->object_count; i++)
        write_collectives_of_object(trace, process, &process->objects[i]);
    for (size_t i = 0; i < history.count; i++) {
        const struct arena_mark mark = arena_mark();
        if (!is_in_blocking(process, history.items[i].operation))
            write_message(trace, &history.items[i], &tracks);
        arena_release(mark);
    }
    for (size_t i = 0; i < process->thread_count; i++)
        write_present_call(trace, process, &process->threads[i], &tracks);
    free(tracks.items);
    arena_release(all);
}

static void take_time(struct trace *trace, const struct process *process, uint64_t ticks, double age_s)
{
    const double time = time_of(trace, process, ticks, age_s);
    trace->first = fmin(trace->first, time);
}

static void take_times(struct trace *trace, const struct process *process, const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        take_time(trace, process, operations->items[i].posted, operations->items[i].age_s);
}

static void take_times_of_collectives(struct trace *trace, const struct process *process,
                                      const struct collective_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_time(trace, process, calls[i].entered, calls[i].age_s);
}

static void find_first(struct trace *trace, const struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        take_times(trace, process, &communicator->completed);
        take_times(trace, process, &communicator->sends);
        take_times(trace, process, &communicator->receives);
        take_times_of_collectives(trace, process, communicator->recent_collectives,
                                  communicator->collective_call_count);
    }
    for (size_t i = 0; i < process->object_count; i++)
        take_times_of_collectives(trace, process, process->objects[i].recent_collectives,
                                  process->objects[i].collective_call_count);
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].function[0] != '\0')
            take_time(trace, process, process->threads[i].entered, process->threads[i].age_s);
}

static bool have_ages(const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        if (operations->items[i].age_s < 0)
            return false;
    return true;
}

static bool have_ages_of_collectives(const struct collective_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (calls[i].age_s < 0)
            return false;
    return true;
}

static bool has_ages(const struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        if (!have_ages_of_collectives(communicator->recent_collectives, communicator->collective_call_count) ||
            !have_ages(&communicator->completed) || !have_ages(&communicator->sends) ||
            !have_ages(&communicator->receives))
            return false;
    }
    for (size_t i = 0; i < process->object_count; i++)
        if (!have_ages_of_collectives(process->objects[i].recent_collectives,
                                      process->objects[i].collective_call_count))
            return false;
    return true;
}

static void prepare(struct trace *trace)
{
    trace->has_ages = true;
    trace->first = INFINITY;
    for (size_t i = 0; i < trace->job->process_count; i++) {
        const struct process *process = &trace->job->processes[i];
        trace->has_ages = trace->has_ages && (!is_shown(trace, process) || has_ages(process));
        if (trace->latest == NULL || process->ages_end_s > trace->latest->ages_end_s)
            trace->latest = process;
    }
    for (size_t i = 0; i < trace->job->process_count; i++)
        if (is_shown(trace, &trace->job->processes[i]))
            find_first(trace, &trace->job->processes[i]);
}

static int write_trace(FILE *stream, const struct job *job, const struct rank_set *chosen)
{
    struct communicator_labels labels = label_communicators(job);
    struct trace trace = {.stream = {.file = stream, .style = JSON_COMPACT},
                          .job = job,
                          .chosen = chosen,
                          .labels = &labels,
                          .pairs = message_history_pair(job)};
    prepare(&trace);
    json_stream_open_object(&trace.stream, NULL);
    json_stream_any_text(&trace.stream, "displayTimeUnit", "ms");
    json_stream_open_object(&trace.stream, "otherData");
    json_stream_any_text(&trace.stream, "time_axis", trace.has_ages ? "microseconds" : "thousands of clock ticks");
    json_stream_close(&trace.stream);
    json_stream_open_array(&trace.stream, "traceEvents");
    for (size_t i = 0; i < job->process_count; i++)
        if (is_shown(&trace, &job->processes[i]))
            write_process(&trace, &job->processes[i]);
    json_stream_close(&trace.stream);
    json_stream_close(&trace.stream);
    return json_stream_finish(&trace.stream);
}

int render_history_trace(const char *path, const struct job *job, const struct render_options *options,
                         struct reason *ret_reason)
{
    struct output_file file;
    if (output_file_create(path, OUTPUT_MODE_PRIVATE, &file, ret_reason) != 0)
        return -1;
    FILE *stream = file_open_stream(file.descriptor, "w");
    int result = stream != NULL ? write_trace(stream, job, &options->ranks) : -1;
    if (stream != NULL && fclose(stream) != 0)
        result = -1;
    if (result == 0)
        return output_file_finish(&file, ret_reason);
    output_file_fail(&file, errno, ret_reason);
    output_file_discard(&file);
    return -1;
}
