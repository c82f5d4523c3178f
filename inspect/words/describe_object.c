/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes objects and requests in words.
 */
#include "words/words.h"

#include "base/base.h"
#include "model/model.h"
#include "mpilens/words.h"

const char *describe_class(uint32_t operation_class)
{
    const char *word = mpilens_operation_class_word(operation_class);
    return word != NULL ? word : "?";
}

const char *describe_lock(uint32_t lock_type)
{
    const char *word = mpilens_lock_type_word(lock_type);
    return word != NULL ? word : "?";
}

const char *describe_request_status(const struct operation *request)
{
    if (!operation_is_active(request))
        return "inactive";
    if (request->state == MPILENS_OPERATION_RELEASED)
        return mpilens_operation_state_word(MPILENS_OPERATION_RELEASED);
    return mpilens_operation_state_word(request->complete ? MPILENS_OPERATION_COMPLETE : MPILENS_OPERATION_PENDING);
}

const char *describe_object(const struct process *process, uint32_t kind, uint32_t serial,
                            const struct communicator_labels *labels)
{
    const struct object *object = find_object(process, kind, serial);
    const char *name = mpilens_object_kind_name((int)kind);
    if (object != NULL && object->name[0] != '\0')
        return arena_text("%s \"%s\"", name, object->name);
    if (object != NULL && object->communicator_id != 0 && kind != MPILENS_OBJECT_COMMUNICATOR)
        return arena_text("%s #%u of %s", name, serial, find_label(labels, object->communicator_id));
    return arena_text("%s #%u", name, serial);
}

/* Where the request belongs. */
static const char *describe_place(const struct process *process, const struct operation *request,
                                  const struct communicator_labels *labels)
{
    if (request->details->object_kind == MPILENS_OBJECT_WINDOW || request->details->object_kind == MPILENS_OBJECT_FILE)
        return describe_object(process, request->details->object_kind, request->details->object_serial, labels);
    return arena_copy(request->details->communicator_id != 0 ? find_label(labels, request->details->communicator_id)
                                                             : "");
}

const char *describe_request_place(const struct process *process, const struct operation *request,
                                   const struct communicator_labels *labels)
{
    const char *place = describe_place(process, request, labels);
    if (request->details->collective == 0)
        return place;
    return arena_text("call %llu on %s", (unsigned long long)request->details->collective, place);
}

const char *describe_request(const struct process *process, const struct operation *request,
                             const struct communicator_labels *labels)
{
    const char *place = describe_request_place(process, request, labels);
    const char *peer = describe_rank(request->peer_local, request->peer_world);
    const char *what = request->has_root ? "root" : "target";
    return request->peer_local >= 0
               ? arena_text("%s, %s %s%s%s", request->details->function, what, peer, place[0] != '\0' ? ", " : "",
                            place)
               : arena_text("%s%s%s", request->details->function, place[0] != '\0' ? ", " : "", place);
}
