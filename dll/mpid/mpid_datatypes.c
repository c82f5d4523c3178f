/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about datatypes and reduction operations.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

int mpid_type_query(mpid_process_handle_t *process, langHandle type, int language, mpid_type_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_DATATYPE, type, language, handle);
}

int mpid_type_query_by_name(mpid_process_handle_t *process, const char *name, mpid_type_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_DATATYPE, name, handle);
}

int mpid_type_handle_free(mpid_type_handle_t *handle)
{
    return handle_free(handle);
}

static int add_predefined(const struct mpid_call *call, const struct mpilens_object_information *object,
                          struct answer_list *map)
{
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    struct mpilens_datatype_information datatype = {.struct_size = sizeof datatype};
    int code = reply_get_handle(call->info, &handle);
    if (code == mqs_ok)
        code = reply_get_datatype(call->info, &datatype);
    char *name = result_text(object->name, false, &code);
    const mpid_name_map_t entry = {.map_name = name,
                                   .size = datatype.size >= 0 && datatype.size <= INT32_MAX ? (int)datatype.size : -1,
                                   .type_c_handle = object->handle,
                                   .type_fortran_handle = handle.has_fortran_handle ? handle.fortran_handle : -1,
                                   .kind = basic_type_of(object->name)};
    if (code == mqs_ok)
        code = answer_list_add(map, &entry);
    if (code != mqs_ok)
        release(name);
    return code;
}

static int collect_predefined(const struct mpid_call *call, struct answer_list *ret_map)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    *ret_map = (struct answer_list){.item_bytes = sizeof(mpid_name_map_t)};
    int code = reply_setup_object_iterator(call->info, MPILENS_OBJECT_DATATYPE);
    while (code == mqs_ok && (code = reply_next_object(call->info, &object)) == mqs_ok)
        if (object.predefined && object.name[0] != '\0')
            code = add_predefined(call, &object, ret_map);
    return code == mqs_end_of_list ? mqs_ok : code;
}

int mpid_type_query_predefined_map(mpid_process_handle_t *process, mpid_name_map_t **mpid_type_name_map,
                                   int64_t *num_elements)
{
    struct mpid_call call;
    struct answer_list map;
    mpid_rc_t result = call_begin_process(process, true, &call);
    if (result != mpid_rc_ok)
        return result;
    int code = collect_predefined(&call, &map);
    if (code == mqs_ok)
        MPID_GIVE(num_elements, (int64_t)map.count);
    if (code != mqs_ok || mpid_type_name_map == NULL)
        for (size_t i = 0; i < map.count; i++)
            release(((mpid_name_map_t *)map.items)[i].map_name);
    result_give_list(&map, code, NULL, mpid_type_name_map);
    return call_end(&call, code);
}

int mpid_type_query_basic(mpid_type_handle_t *handle, char **type_name, enum mpid_type_info_bitmap_t *type_bitflags,
                          int64_t *type_size, int64_t *type_extent, int64_t *type_real_extent,
                          int64_t *type_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_datatype_information datatype = {.struct_size = sizeof datatype, .size = -1};
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents, .extent = -1, .true_extent = -1};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_DATATYPE, type_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = mqs_ok;
    if (basic.object.serial != 0) {
        code = reply_get_datatype(call.info, &datatype);
        if (code == mqs_ok)
            code = reply_get_datatype_contents(call.info, &contents);
    }
    basic.flags &= 0xfff; /* the flags of datatypes */
    if (code == mqs_ok) {
        MPID_GIVE(type_bitflags,
                  (enum mpid_type_info_bitmap_t)(basic.flags | (datatype.committed ? MPID_TYPE_INFO_COMMITTED : 0)));
        MPID_GIVE(type_size, datatype.size);
        MPID_GIVE(type_extent, contents.extent);
        MPID_GIVE(type_real_extent, contents.true_extent);
        MPID_GIVE(type_fortran_handle, basic.fortran_handle);
    }
    return call_end_common(&call, &basic, code, type_name, NULL, NULL);
}

int mpid_type_query_envelope(mpid_type_handle_t *handle, char **combiner, int64_t *num_integers, int64_t *num_addresses,
                             int64_t *num_datatypes)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_DATATYPE, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_datatype_contents(call.info, &contents);
    char *name = combiner != NULL ? result_text(reply_combiner_name(contents.combiner), false, &code) : NULL;
    if (code == mqs_ok) {
        MPID_GIVE(combiner, name);
        MPID_GIVE(num_integers, contents.integer_count);
        MPID_GIVE(num_addresses, contents.address_count);
        MPID_GIVE(num_datatypes, contents.datatype_count);
    }
    return call_end(&call, code);
}

static int read_numbers(const struct mpid_call *call, const struct mpilens_datatype_contents *contents,
                        struct answer_list *ret_parts)
{
    const size_t total = (size_t)contents->integer_count + contents->address_count;
    size_t count = 0;
    if (total == 0)
        return mqs_ok;
    int64_t *numbers = NULL;
    /* First asks for the count, without room. */
    int code = reply_get_datatype_arguments(call->info, NULL, 0, &count);
    if (code == mqs_ok && (numbers = allocate_array(total, sizeof *numbers)) == NULL)
        code = MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok)
        code = reply_get_datatype_arguments(call->info, numbers, total, &count);
    if (code == mqs_ok && count < total)
        code = mqs_no_information;
    if (code == mqs_ok)
        code = result_part(numbers, contents->integer_count, sizeof *numbers, &ret_parts[0]);
    if (code == mqs_ok)
        code = result_part(numbers + contents->integer_count, contents->address_count, sizeof *numbers, &ret_parts[1]);
    release(numbers);
    return code;
}

static int collect_types(const struct mpid_call *call, struct answer_list *ret_types)
{
    struct mpilens_object_information type = {.struct_size = sizeof type};
    *ret_types = (struct answer_list){.item_bytes = sizeof(mpid_type_handle_t *)};
    for (size_t n = 0;; n++) {
        int code = reply_get_datatype_argument(call->info, n, &type);
        if (code != mqs_ok && code != mqs_no_information)
            return code == mqs_end_of_list ? mqs_ok : code;
        mpid_type_handle_t *made = NULL;
        if (code == mqs_ok)
            code = handle_make_object(call, MPILENS_OBJECT_DATATYPE, type.serial, &made);
        if (code != MPILENS_ERROR_NO_MEMORY)
            code = answer_list_add(ret_types, &made);
        if (code == MPILENS_ERROR_NO_MEMORY) {
            release(made);
            return code;
        }
    }
}

int mpid_type_query_contents(mpid_type_handle_t *handle, int64_t **integers, int64_t **addresses,
                             mpid_type_handle_t ***types)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents};
    struct answer_list numbers[2] = {{.items = NULL}};
    struct answer_list datatypes = {.items = NULL};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_DATATYPE, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_datatype_contents(call.info, &contents);
    if (code == mqs_ok && contents.cut)
        code = MPILENS_ERROR_INCONSISTENT;
    if (code == mqs_ok)
        code = read_numbers(&call, &contents, numbers);
    if (code == mqs_ok)
        code = collect_types(&call, &datatypes);
    result_give_list(&numbers[0], code, NULL, integers);
    result_give_list(&numbers[1], code, NULL, addresses);
    if (code != mqs_ok || types == NULL)
        for (size_t i = 0; i < datatypes.count; i++)
            release(((mpid_type_handle_t **)datatypes.items)[i]);
    result_give_list(&datatypes, code, NULL, types);
    return call_end(&call, code);
}

int mpid_op_query(mpid_process_handle_t *process, langHandle op, int language, mpid_op_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_OP, op, language, handle);
}

int mpid_op_query_by_name(mpid_process_handle_t *process, const char *name, mpid_op_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_OP, name, handle);
}

int mpid_op_handle_free(mpid_op_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_op_query_basic(mpid_op_handle_t *handle, char **op_name, int *op_bitflags, mpid_address_t *op_function,
                        int *op_commutative, int *op_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_op_information op = {.struct_size = sizeof op};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_OP, op_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = basic.object.serial != 0 ? reply_get_op(call.info, &op) : mqs_ok;
    if (code == mqs_ok) {
        MPID_GIVE(op_function, op.user_function);
        MPID_GIVE(op_commutative, (int)op.commutative);
    }
    return call_end_common(&call, &basic, code, op_name, op_bitflags, op_fortran_handle);
}
