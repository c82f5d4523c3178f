/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expectations of expect.h about requests and objects.
 */
#define _GNU_SOURCE
#include "expect.h"
#include "expect_text.h"

struct list {
    FILE *stream;
    char *text;
    size_t bytes;
};

static struct list requests, objects;
static int objects_stated;

static FILE *stream_of(struct list *list)
{
    if (list->stream == NULL) {
        list->stream = text_stream(&list->text, &list->bytes);
    }
    return list->stream;
}

void expect_request(struct expected_request request)
{
    FILE *stream = stream_of(&requests);
    fputs("{", stream);
    write_text(stream, "class", request.request_class);
    write_text(stream, "function", request.function);
    write_text(stream, "line", request.line);
    write_text(stream, "status", request.status != NULL ? request.status : "pending");
    write_number(stream, "collective", request.collective != 0, request.collective);
    write_text(stream, "datatype", request.datatype);
    write_number(stream, "count", request.datatype != NULL, request.count);
    write_address(stream, "buffer", request.buffer != NULL, (uint64_t)(uintptr_t)request.buffer);
    write_address(stream, "request", request.request != NULL,
                  request.request != NULL ? handle_value(request.request, sizeof *request.request) : 0);
    write_address(stream, "communicator", request.communicator != NULL,
                  request.communicator != NULL ? handle_value(request.communicator, sizeof *request.communicator) : 0);
    write_address(stream, "object", request.object != NULL,
                  request.object != NULL ? handle_value(request.object, request.object_bytes) : 0);
    write_number(stream, "root", request.has_root, request.root);
    write_number(stream, "target", request.has_target, request.target);
    write_number(stream, "peer", request.has_peer, request.peer);
    write_number(stream, "tag", request.has_peer, request.tag);
    write_number(stream, "partitions", request.partitions != 0, request.partitions);
    fprintf(stream, "\"persistent\": %s, \"awaited\": %d}, ", request.persistent ? "true" : "false", request.awaited);
}

void expect_object(struct expected_object object)
{
    FILE *stream = stream_of(&objects);
    objects_stated = 1;
    fputs("{", stream);
    write_text(stream, "kind", object.kind);
    write_text(stream, "name", object.name);
    write_text(stream, "function", object.function);
    write_text(stream, "line", object.line);
    write_address(stream, "handle", object.handle != NULL,
                  object.handle != NULL ? handle_value(object.handle, object.handle_bytes) : 0);
    fprintf(stream, "\"detail\": {%s}, ", object.detail != NULL ? object.detail : "");
    fprintf(stream, "\"freed\": %s, \"references\": %d}, ", object.freed ? "true" : "false",
            object.freed             ? 0
            : object.references != 0 ? object.references
                                     : 1);
}

void expect_no_objects(void)
{
    objects_stated = 1;
}

void expect_write_objects(FILE *file)
{
    fputs(", ", file);
    write_list(file, "requests", stream_of(&requests), &requests.text);
    if (objects_stated) {
        fputs(", ", file);
        write_list(file, "objects", stream_of(&objects), &objects.text);
    }
}
