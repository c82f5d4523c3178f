/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the record that a handle names. Compares handles as wide as they are: debuggers extend ints to 64 bits either
 * way. Compares handles as wide as they are: debuggers extend ints to 64 bits either way.
 */
#include "facts/facts.h"

#include "snapshot/snapshot.h"

/* Files are pointers in every MPI, keys of attributes are ints. */
uint32_t handle_bytes(const struct mpilens_process *process, int kind)
{
    switch (kind) {
    case MPILENS_OBJECT_FILE:
        return process->word_size;
    case MPILENS_OBJECT_KEYVAL:
        return sizeof(int32_t);
    case MPILENS_OBJECT_REQUEST:
        return process->request_bytes;
    default:
        return kind > MPILENS_OBJECT_NONE && kind < MPILENS_OBJECT_ATTRIBUTE ? process->handle_bytes : 0;
    }
}

static bool fits_in_32_bits(uint64_t value)
{
    return value <= UINT32_MAX || (int64_t)value == (int32_t)value;
}

static bool is_same(uint64_t a, uint64_t b, uint32_t bytes)
{
    if (bytes == sizeof(uint32_t))
        return fits_in_32_bits(a) && fits_in_32_bits(b) && (uint32_t)a == (uint32_t)b;
    return a == b;
}

bool handle_is_same(const struct mpilens_process *process, int kind, uint64_t a, uint64_t b)
{
    return is_same(a, b, handle_bytes(process, kind));
}

/* Whether Fortran has the same value. */
static bool same_in_fortran(const struct mpilens_process *process, int kind)
{
    return kind == MPILENS_OBJECT_KEYVAL || (kind != MPILENS_OBJECT_FILE && process->fortran_is_c != 0);
}

bool handle_in_c(const struct mpilens_process *process, const struct handle *handle, uint64_t *ret_handle)
{
    if (handle->language == MPILENS_HANDLE_FORTRAN) {
        if (!same_in_fortran(process, handle->kind) || !fits_in_32_bits(handle->value))
            return false;
    }
    *ret_handle = handle->value;
    return true;
}

bool handle_to_fortran(const struct mpilens_process *process, int kind, uint64_t handle, int64_t *ret_fortran)
{
    if (!same_in_fortran(process, kind) || !fits_in_32_bits(handle) || (handle == 0 && kind != MPILENS_OBJECT_KEYVAL))
        return false;
    *ret_fortran = (int32_t)handle;
    return true;
}

static bool is_null_at(const struct mpilens_process *process, const struct handle *handle, int place)
{
    const bool is_request = handle->kind == MPILENS_OBJECT_REQUEST;
    const bool known = process->known_nulls & (1u << place);
    const uint64_t null = is_request ? process->request_null : process->null_handles[place];
    uint64_t value = 0;
    if (is_request ? process->request_bytes == 0 : !known)
        return false;
    if (handle_in_c(process, handle, &value) && is_same(value, null, handle_bytes(process, handle->kind)))
        return true;
    return handle->language == MPILENS_HANDLE_FORTRAN && known &&
           is_same(handle->value, (uint64_t)(int64_t)process->fortran_null_handles[place], sizeof(int32_t));
}

int handle_null_place(const struct mpilens_process *process, const struct handle *handle)
{
    if (is_null_at(process, handle, handle->kind))
        return handle->kind;
    if (handle->kind == MPILENS_OBJECT_MESSAGE && is_null_at(process, handle, MPILENS_NO_PROC_PLACE))
        return MPILENS_NO_PROC_PLACE;
    return MPILENS_OBJECT_NONE;
}

/* Only keys have a handle 0. */
static bool has_this(const struct mpilens_object *object, const struct handle *handle, uint32_t bytes)
{
    return (object->handle != 0 || handle->kind == MPILENS_OBJECT_KEYVAL) &&
           is_same(object->handle, handle->value, bytes);
}

static bool has_this_in_fortran(const struct mpilens_object *object, const struct handle *handle)
{
    return (object->flags & MPILENS_OBJECT_HAS_FORTRAN_HANDLE) &&
           is_same((uint64_t)(int64_t)object->fortran_handle, handle->value, sizeof(int32_t));
}

static const void *find_message(const struct table_copy *copy, const struct mpilens_process *process,
                                const struct handle *handle)
{
    const struct mpilens_message *found = NULL;
    struct table_position position = {0};
    uint64_t value = 0;
    if (!handle_in_c(process, handle, &value) || value == 0)
        return NULL;
    for (const struct mpilens_message *message; (message = table_copy_next(copy, &position)) != NULL;)
        if (message->state == MPILENS_OBJECT_LIVE && message->handle != 0 &&
            is_same(message->handle, value, handle_bytes(process, handle->kind)) &&
            (found == NULL || message->matched_time > found->matched_time))
            found = message;
    return found;
}

/* A live one before freed ones, then the one that was made last. */
static bool is_better(const struct mpilens_object *object, const struct mpilens_object *than)
{
    if (than == NULL || object->state != than->state)
        return than == NULL || object->state == MPILENS_OBJECT_LIVE;
    return object->serial > than->serial;
}

const void *handle_lookup(const struct table_copy *copy, const struct mpilens_process *process,
                          const struct handle *handle)
{
    if (handle->kind == MPILENS_OBJECT_MESSAGE)
        return find_message(copy, process, handle);
    uint64_t value = 0;
    const uint32_t bytes = handle_bytes(process, handle->kind);
    const bool in_c = handle_in_c(process, handle, &value);
    const struct mpilens_object *found = NULL;
    struct table_position position = {0};
    for (const struct mpilens_object *object; (object = table_copy_next(copy, &position)) != NULL;) {
        if (object->state != MPILENS_OBJECT_LIVE && object->state != MPILENS_OBJECT_FREED)
            continue;
        const bool same = (in_c && has_this(object, handle, bytes)) ||
                          (handle->language == MPILENS_HANDLE_FORTRAN && has_this_in_fortran(object, handle));
        if (same && is_better(object, found))
            found = object;
    }
    return found;
}

const void *serial_lookup(const struct table_copy *copy, uint32_t serial)
{
    struct table_position position = {0};
    for (const struct mpilens_object *object; (object = table_copy_next(copy, &position)) != NULL;)
        if ((object->state == MPILENS_OBJECT_LIVE || object->state == MPILENS_OBJECT_FREED) && serial != 0 &&
            object->serial == serial)
            return object;
    return NULL;
}
