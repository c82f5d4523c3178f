/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the expectations of expect.h as one JSON file per rank into the directory MPILENS_LIVE_DIRECTORY.
 */
#define _GNU_SOURCE
#include "expect.h"
#include "expect_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { max_communicators = 32, life_seconds = 1200 };

enum queue { sends, receives, unexpected, collectives, queue_count };
static const char *const queue_names[queue_count] = {"sends", "receives", "unexpected", "collectives"};

struct expected_communicator {
    char *text[queue_count];
    size_t bytes[queue_count];
    FILE *queue[queue_count];
    const char *key, *name, *origin;
    uint64_t handle;
    int rank, size;
};

static struct expected_communicator communicators[max_communicators];
static int communicator_count;
static FILE *threads;
static char *threads_text;
static size_t threads_bytes;
static const char *state = "running";
static int any_order;
static int world_rank;
static int with_world = 1;
static const char *level_name; /* NULL: not asked for yet */

void expect_begin_without_world(int rank)
{
    alarm(life_seconds);
    world_rank = rank;
    with_world = 0;
    threads = text_stream(&threads_text, &threads_bytes);
}

int expect_begin(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    expect_begin_without_world(rank);
    with_world = 1;
    return rank;
}

static struct expected_communicator *begin_communicator(MPI_Comm communicator, const char *key, const char *name,
                                                        const char *origin)
{
    if (communicator_count == max_communicators) {
        fprintf(stderr, "expect: more than %d communicators\n", max_communicators);
        _exit(70);
    }
    struct expected_communicator *result = &communicators[communicator_count++];
    for (int queue = 0; queue < queue_count; queue++) {
        result->queue[queue] = text_stream(&result->text[queue], &result->bytes[queue]);
    }
    result->key = key;
    result->name = name;
    result->origin = origin;
    result->handle = handle_value(&communicator, sizeof communicator);
    return result;
}

struct expected_communicator *expect_communicator(MPI_Comm communicator, const char *key, const char *name,
                                                  const char *origin)
{
    struct expected_communicator *result = begin_communicator(communicator, key, name, origin);
    MPI_Comm_rank(communicator, &result->rank);
    MPI_Comm_size(communicator, &result->size);
    return result;
}

struct expected_communicator *expect_communicator_in_making(MPI_Comm communicator, const char *key, const char *origin,
                                                            int rank, int size)
{
    struct expected_communicator *result = begin_communicator(communicator, key, NULL, origin);
    result->rank = rank;
    result->size = size;
    return result;
}

struct expected_communicator *expect_world(void)
{
    return expect_communicator(MPI_COMM_WORLD, "world", "MPI_COMM_WORLD", NULL);
}

static void write_message(struct expected_communicator *communicator, enum queue queue,
                          const struct expected_message *message)
{
    FILE *stream = communicator->queue[queue];
    int source_known = message->peer != MPI_ANY_SOURCE;
    fputs("{", stream);
    write_text(stream, "function", message->function);
    write_text(stream, "line", message->line);
    write_text(stream, "status", message->status != NULL ? message->status : "pending");
    write_text(stream, "mode", message->mode != NULL ? message->mode : "standard");
    write_text(stream, "datatype", message->datatype != NULL ? message->datatype : "MPI_INT");
    write_number(stream, "peer_local", source_known, message->peer);
    write_number(stream, "peer_world", source_known, message->world);
    write_number(stream, "tag", message->tag != MPI_ANY_TAG, message->tag);
    write_number(stream, "count", 1, message->count);
    write_number(stream, "partitions", message->partitions > 0, message->partitions);
    write_number(stream, "marked", message->partitions > 0, message->marked);
    write_number(stream, "bytes", 1, message->bytes != 0 ? message->bytes : message->count * (long long)sizeof(int));
    if (message->actual) {
        fprintf(stream, "\"actual\": {\"local\": %d, \"world\": %d, \"tag\": %d, \"bytes\": %d}, ",
                message->actual_peer, message->actual_world, message->actual_tag, message->actual_bytes);
    }
    if (message->buffer != NULL) {
        write_address(stream, "buffer", 1, (uint64_t)(uintptr_t)message->buffer);
    }
    write_address(stream, "request", message->request != NULL,
                  message->request != NULL ? handle_value(message->request, sizeof *message->request) : 0);
    fprintf(stream, "\"blocking\": %s, \"persistent\": %s, \"awaited\": %d}, ", message->blocking ? "true" : "false",
            message->persistent ? "true" : "false", message->awaited);
}

void expect_send(struct expected_communicator *communicator, struct expected_message message)
{
    write_message(communicator, sends, &message);
}

void expect_receive(struct expected_communicator *communicator, struct expected_message message)
{
    write_message(communicator, receives, &message);
}

void expect_unexpected(struct expected_communicator *communicator, struct expected_message message)
{
    write_message(communicator, unexpected, &message);
}

void expect_collective(struct expected_communicator *communicator, const char *collective_class, int count, int active)
{
    fprintf(communicator->queue[collectives], "{\"class\": \"%s\", \"count\": %d, \"active\": %d}, ", collective_class,
            count, active);
}

static void begin_thread(int tid, const char *function, const char *line)
{
    fprintf(threads, "{\"tid\": %d, ", tid);
    write_text(threads, "function", function);
    write_text(threads, "line", line);
}

static void end_thread(int polling)
{
    fprintf(threads, "\"polling\": %s}, ", polling ? "true" : "false");
}

void expect_thread(int tid, const char *function, const char *line)
{
    begin_thread(tid, function, line);
    end_thread(0);
}

void expect_call(const char *function, const char *line)
{
    expect_thread(getpid(), function, line);
}

void expect_call_on(const char *function, const char *line, const char *kind, const void *handle, size_t handle_bytes)
{
    begin_thread(getpid(), function, line);
    write_text(threads, "object_kind", kind);
    write_address(threads, "object_handle", 1, handle_value(handle, handle_bytes));
    end_thread(0);
}

void expect_polling(const char *function, const char *line)
{
    begin_thread(getpid(), function, line);
    end_thread(1);
}

void expect_probe(int polling, const char *function, const char *line, int peer, int world, int tag)
{
    int source_known = peer != MPI_ANY_SOURCE;
    begin_thread(getpid(), function, line);
    write_number(threads, "probe_local", source_known, peer);
    write_number(threads, "probe_world", source_known, world);
    write_number(threads, "probe_tag", tag != MPI_ANY_TAG, tag);
    end_thread(polling);
}

void expect_any_order(void)
{
    any_order = 1;
}

static const char *thread_level_name(void)
{
    int level = MPI_THREAD_SINGLE;
    if (!with_world) {
        return "*"; /* there is no legal way to ask */
    }
    MPI_Query_thread(&level);
    switch (level) {
    case MPI_THREAD_FUNNELED:
        return "funneled";
    case MPI_THREAD_SERIALIZED:
        return "serialized";
    case MPI_THREAD_MULTIPLE:
        return "multiple";
    default:
        return "single";
    }
}

void expect_finalized(void)
{
    level_name = thread_level_name();
    expect_state("finalized");
    expect_no_objects();
    expect_call(NULL, NULL);
}

void expect_state(const char *name)
{
    state = name;
}

static void write_communicator(FILE *file, struct expected_communicator *communicator)
{
    fprintf(file, "{\"key\": \"%s\", \"handle\": \"0x%llx\", \"rank\": %d, \"size\": %d, ", communicator->key,
            (unsigned long long)communicator->handle, communicator->rank, communicator->size);
    write_text(file, "name", communicator->name);
    write_text(file, "origin", communicator->origin);
    for (int queue = 0; queue < queue_count; queue++) {
        write_list(file, queue_names[queue], communicator->queue[queue], &communicator->text[queue]);
        fputs(queue + 1 < queue_count ? ", " : "}", file);
    }
}

static void tell_driver(const char *directory)
{
    char path[4096];
    char line[32];
    snprintf(path, sizeof path, "%s/ready", directory);
    int length = snprintf(line, sizeof line, "%d\n", world_rank);
    int pipe = open(path, O_WRONLY | O_CLOEXEC);
    if (pipe < 0 || write(pipe, line, (size_t)length) != length) {
        fail(path);
    }
    close(pipe);
}

void expect_ready(void)
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    if (directory == NULL) {
        return;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/rank-%d.json", directory, world_rank);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fail(path);
    }
    fprintf(file, "{\"rank\": %d, \"pid\": %d, \"thread_level\": \"%s\", \"any_order\": %s, ", world_rank, getpid(),
            level_name != NULL ? level_name : thread_level_name(), any_order ? "true" : "false");
    write_text(file, "state", state);
    write_list(file, "threads", threads, &threads_text);
    expect_write_objects(file);
    fputs(", \"communicators\": [", file);
    for (int i = 0; i < communicator_count; i++) {
        fputs(i > 0 ? ", " : "", file);
        write_communicator(file, &communicators[i]);
    }
    fputs("]}\n", file);
    if (fclose(file) != 0) {
        fail(path);
    }
    tell_driver(directory);
}

_Noreturn void expect_pause(void)
{
    for (;;) {
        pause();
    }
}
