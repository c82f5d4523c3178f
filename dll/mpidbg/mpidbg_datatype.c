/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_datatype_query.
 */
#include "answers/answers.h"
#include "mpidbg/mpidbg_internal.h"
#include "mpilens/layout.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

/* The integers and addresses; how many there are is known to fit. */
static int set_numbers(const struct inquiry *inquiry, const struct mpilens_datatype_contents *contents,
                       struct mpidbg_datatype_info_t *info)
{
    const size_t integers = contents->integer_count;
    const size_t addresses = contents->address_count;
    size_t count = 0;
    int64_t *numbers = inquiry_allocate(integers + addresses, sizeof *numbers);
    if (numbers == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    int code = reply_get_datatype_arguments(inquiry->info, numbers, integers + addresses, &count);
    if (code == mqs_ok && count >= integers + addresses) {
        answer_keep(info, numbers, integers, sizeof *numbers, (void **)&info->dt_integers);
        answer_keep(info, numbers + integers, addresses, sizeof *numbers, (void **)&info->dt_addresses);
        info->dt_num_integers = info->dt_integers != NULL ? (int)integers : 0;
        info->dt_num_addresses = info->dt_addresses != NULL ? (int)addresses : 0;
    } else {
        info->dt_arguments_cut = 1;
    }
    release(numbers);
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}

static int set_datatypes(const struct inquiry *inquiry, struct mpidbg_datatype_info_t *info)
{
    struct answer_list datatypes = {.item_bytes = sizeof(struct mpidbg_reference_t)};
    int code = mqs_ok;
    for (size_t n = 0; code == mqs_ok || code == mqs_no_information; n++) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        code = reply_get_datatype_argument(inquiry->info, n, &object);
        if ((code != mqs_ok && code != mqs_no_information) || pool_has_failed(info))
            break;
        const struct mpidbg_reference_t reference = {(int)object.kind, (int)object.serial, (mqs_taddr_t)object.handle,
                                                     pool_text(info, object.name)};
        code = answer_list_add(&datatypes, &reference);
    }
    answer_keep(info, datatypes.items, datatypes.count, datatypes.item_bytes, (void **)&info->dt_datatypes);
    info->dt_num_datatypes = info->dt_datatypes != NULL ? (int)datatypes.count : 0;
    answer_list_free(&datatypes);
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}

static int set_contents(const struct inquiry *inquiry, struct mpidbg_datatype_info_t *info)
{
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents};
    if (reply_get_datatype_contents(inquiry->info, &contents) != mqs_ok)
        return mqs_ok;
    info->dt_combiner = (int)contents.combiner;
    info->dt_combiner_name = pool_text(info, reply_combiner_name(contents.combiner));
    info->dt_lower_bound = contents.lower_bound;
    info->dt_extent = contents.extent;
    info->dt_true_lower_bound = contents.true_lower_bound;
    info->dt_true_extent = contents.true_extent;
    info->dt_arguments_cut = contents.cut != 0;
    if (contents.cut || contents.integer_count + contents.address_count + contents.datatype_count == 0)
        return mqs_ok;
    int code = set_numbers(inquiry, &contents, info);
    return code == mqs_ok ? set_datatypes(inquiry, info) : code;
}

static int set_map(const struct inquiry *inquiry, struct mpidbg_datatype_info_t *info)
{
    struct answer_list map = {.item_bytes = sizeof(struct mpidbg_type_map_entry_t)};
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    char *basic = pool_text(info, "");
    int code = reply_setup_type_map_iterator(inquiry->info);
    while (code == mqs_ok && (code = reply_next_type_map_entry(inquiry->info, &entry)) == mqs_ok) {
        if (map.count == MPIDBG_TYPE_MAP_LIMIT) {
            info->dt_map_cut = 1;
            break;
        }
        if (strcmp(basic, entry.basic) != 0)
            basic = pool_text(info, entry.basic);
        const struct mpidbg_type_map_entry_t given = {basic,        entry.basic_size, entry.displacement, entry.count,
                                                      entry.stride, entry.repeat,     entry.repeat_stride};
        code = answer_list_add(&map, &given);
    }
    if (code == mqs_ok || code == mqs_end_of_list) {
        answer_keep(info, map.items, map.count, map.item_bytes, (void **)&info->dt_map);
        info->dt_map_length = info->dt_map != NULL ? (int)map.count : 0;
    }
    answer_list_free(&map);
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}

static int fill_datatype(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_datatype_info_t *info = answer;
    struct mpilens_datatype_information datatype = {.struct_size = sizeof datatype, .size = -1};
    info->dt_combiner_name = pool_text(answer, "");
    info->dt_size = -1;
    info->dt_map_length = -1;
    if (object->flags & MPILENS_OBJECT_NULL)
        return mqs_ok;
    int code = reply_get_datatype(inquiry->info, &datatype);
    info->dt_size = datatype.size;
    info->dt_committed = datatype.committed != 0;
    if (code == mqs_ok)
        code = set_contents(inquiry, info);
    return code == mqs_ok ? set_map(inquiry, info) : code;
}

MPIDBG_QUERY(datatype, MPILENS_OBJECT_DATATYPE)
