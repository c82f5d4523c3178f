/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_X_f2c and mpidbg_X_cxx2c.
 */
#include "mpidbg/mpidbg_internal.h"

#include "layout/layout.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

/* The C handle, if it names something. */
static int find(const struct inquiry *inquiry, int kind, enum mpilens_handle_language language, uint64_t value,
                mqs_taddr_t *ret_handle)
{
    if (kind == MPILENS_OBJECT_REQUEST) {
        struct mpilens_operation_information request = {.struct_size = sizeof request};
        int code = reply_find_request(inquiry->info, language, value, &request);
        if (code == mqs_ok)
            *ret_handle = (mqs_taddr_t)request.request;
        return code;
    }
    struct mpilens_object_information object = {.struct_size = sizeof object};
    int code = reply_find_object(inquiry->info, kind, language, value, &object);
    if (code == mqs_ok)
        *ret_handle = (mqs_taddr_t)object.handle;
    return code;
}

static int check_status(const struct inquiry *inquiry, mqs_taddr_t address, mqs_taddr_t *ret_address)
{
    struct mpilens_status_information status = {.struct_size = sizeof status};
    int code = reply_get_status(inquiry->info, address, &status);
    if (code == mqs_ok)
        *ret_address = address;
    return code == mqs_ok ? mqs_ok : mqs_no_information;
}

/* A value to convert to the C handle. */
struct conversion {
    int kind;
    mqs_taddr_t from; /* integer of Fortran, or address of an object of C++ */
    mqs_taddr_t handle;
};

static int convert(mqs_process *process, mqs_process_info *given, inquiry_work *work, struct conversion conversion,
                   mqs_taddr_t *ret_handle)
{
    int result = ret_handle != NULL ? inquiry_run(process, given, work, &conversion) : MPIDBG_ERR_NOT_FOUND;
    if (result == MPIDBG_SUCCESS)
        *ret_handle = conversion.handle;
    return result;
}

static int from_fortran(const struct inquiry *inquiry, void *context)
{
    struct conversion *conversion = context;
    if (conversion->kind == MPILENS_OBJECT_STATUS)
        return check_status(inquiry, conversion->from, &conversion->handle);
    const int64_t integer = (int32_t)(uint32_t)conversion->from; /* it comes zero-extended */
    return find(inquiry, conversion->kind, MPILENS_HANDLE_FORTRAN, (uint64_t)integer, &conversion->handle);
}

/* In the C++ bindings of MPICH and of Open MPI, every class has virtual functions and the handle as its first member.
 */
static int from_cxx(const struct inquiry *inquiry, void *context)
{
    struct conversion *conversion = context;
    const struct target *target = &inquiry->info->reading.target;
    const mqs_taddr_t member = conversion->from + target->word_size;
    if (conversion->kind == MPILENS_OBJECT_STATUS)
        return check_status(inquiry, member, &conversion->handle);
    uint8_t bytes[8];
    const int count = reply_handle_bytes(inquiry->info, conversion->kind);
    if (conversion->from == 0 || (count != 4 && count != 8) ||
        target_read(target, member, (size_t)count, bytes) != mqs_ok)
        return mqs_no_information;
    return find(inquiry, conversion->kind, MPILENS_HANDLE_C,
                decode_integer(bytes, (size_t)count, inquiry->info->reading.root.offsets.header.big_endian),
                &conversion->handle);
}

#define F2C(name, kind)                                                                                                \
    int mpidbg_##name##_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle)                       \
    {                                                                                                                  \
        (void)image;                                                                                                   \
        (void)image_info;                                                                                              \
        return convert(process, process_info, from_fortran, (struct conversion){(kind), fortran_handle, 0},            \
                       ret_handle);                                                                                    \
    }

#define CXX2C(name, kind)                                                                                              \
    int mpidbg_##name##_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle)                             \
    {                                                                                                                  \
        (void)image;                                                                                                   \
        (void)image_info;                                                                                              \
        return convert(process, process_info, from_cxx, (struct conversion){(kind), object, 0}, ret_handle);           \
    }

F2C(comm, MPILENS_OBJECT_COMMUNICATOR)
F2C(errhandler, MPILENS_OBJECT_ERRHANDLER)
F2C(request, MPILENS_OBJECT_REQUEST)
F2C(status, MPILENS_OBJECT_STATUS)
F2C(datatype, MPILENS_OBJECT_DATATYPE)
F2C(file, MPILENS_OBJECT_FILE)
F2C(group, MPILENS_OBJECT_GROUP)
F2C(info, MPILENS_OBJECT_INFO)
F2C(op, MPILENS_OBJECT_OP)
F2C(window, MPILENS_OBJECT_WINDOW)
F2C(session, MPILENS_OBJECT_SESSION)
F2C(message, MPILENS_OBJECT_MESSAGE)

CXX2C(errhandler, MPILENS_OBJECT_ERRHANDLER)
CXX2C(status, MPILENS_OBJECT_STATUS)
CXX2C(datatype, MPILENS_OBJECT_DATATYPE)
CXX2C(file, MPILENS_OBJECT_FILE)
CXX2C(group, MPILENS_OBJECT_GROUP)
CXX2C(info, MPILENS_OBJECT_INFO)
CXX2C(op, MPILENS_OBJECT_OP)
CXX2C(window, MPILENS_OBJECT_WINDOW)

/* The debugger's hint about the object's class makes no difference. */
int mpidbg_comm_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, enum mpidbg_comm_info_bitmap_t type, mqs_taddr_t *ret_handle)
{
    (void)image;
    (void)image_info;
    (void)type;
    return convert(process, process_info, from_cxx, (struct conversion){MPILENS_OBJECT_COMMUNICATOR, object, 0},
                   ret_handle);
}

int mpidbg_request_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, enum mpidbg_request_info_bitmap_t type,
                         mqs_taddr_t *ret_handle)
{
    (void)image;
    (void)image_info;
    (void)type;
    return convert(process, process_info, from_cxx, (struct conversion){MPILENS_OBJECT_REQUEST, object, 0}, ret_handle);
}
