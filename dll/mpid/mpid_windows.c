/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry points about windows.
 */
#include "mpid/mpid_internal.h"
#include "target/target.h"

#include "mpilens/words.h"
#include "replies/replies.h"

int mpid_win_query(mpid_process_handle_t *process, langHandle win, int language, mpid_win_handle_t **handle)
{
    return handle_query(process, MPILENS_OBJECT_WINDOW, win, language, handle);
}

int mpid_win_query_by_name(mpid_process_handle_t *process, const char *name, mpid_win_handle_t **handle)
{
    return handle_query_by_name(process, MPILENS_OBJECT_WINDOW, name, handle);
}

int mpid_win_handle_free(mpid_win_handle_t *handle)
{
    return handle_free(handle);
}

int mpid_win_query_session(mpid_win_handle_t *handle, mpid_session_handle_t **win_session)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_WINDOW, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    const struct mpilens_window *record = call.info->object;
    const struct mpilens_communicator *communicator =
        snapshot_communicator(&call.info->reading.snapshot, record->communicator);
    return call_end(&call, communicator != NULL ? handle_make_from_address(&call, MPILENS_OBJECT_SESSION,
                                                                           communicator->session, win_session)
                                                : mqs_no_information);
}

int mpid_win_query_basic(mpid_win_handle_t *handle, char **win_name, int *win_bitflags, mpid_address_t *win_base,
                         mpid_size_t *win_size, int *win_displacement_unit, int *win_fortran_handle)
{
    struct mpid_call call;
    struct mpid_basic basic;
    struct mpilens_window_information window = {.struct_size = sizeof window, .displacement_unit = -1};
    mpid_rc_t result = call_begin_common(handle, MPILENS_OBJECT_WINDOW, win_name != NULL, &call, &basic);
    if (result != mpid_rc_ok)
        return result;
    int code = basic.object.serial != 0 ? reply_get_window(call.info, &window) : mqs_ok;
    if (code == mqs_ok) {
        MPID_GIVE(win_base, window.base);
        MPID_GIVE(win_size, window.bytes);
        MPID_GIVE(win_displacement_unit, window.displacement_unit);
    }
    return call_end_common(&call, &basic, code, win_name, win_bitflags, win_fortran_handle);
}

int mpid_win_query_comm(mpid_win_handle_t *handle, mpid_comm_handle_t **win_comm)
{
    return handle_query_reference(handle, MPILENS_OBJECT_WINDOW, offsetof(struct mpilens_window, communicator),
                                  MPILENS_OBJECT_COMMUNICATOR, win_comm);
}

int mpid_win_query_info(mpid_win_handle_t *handle, int *num_entries, mpid_keyvalue_pair_t **entries)
{
    return handle_query_list(handle, MPILENS_OBJECT_WINDOW, result_collect_pairs, result_free_pairs, num_entries,
                             entries);
}

static const char *epoch_name(uint32_t epoch)
{
    const char *word = mpilens_epoch_word(epoch);
    return word != NULL ? word : "unknown";
}

static int collect_locked(const struct mpid_call *call, uint32_t lock_count, struct answer_list *ret_ranks)
{
    *ret_ranks = (struct answer_list){.item_bytes = sizeof(int)};
    if (lock_count == 0)
        return mqs_ok;
    struct mpilens_window_lock_information *locks = allocate_array(lock_count, sizeof *locks);
    if (locks == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    size_t count = 0;
    locks[0].struct_size = sizeof locks[0];
    int code = reply_get_window_locks(call->info, locks, lock_count, &count);
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        code = answer_list_add(ret_ranks, &locks[i].target_local);
    release(locks);
    return code;
}

int mpid_win_query_epochs(mpid_win_handle_t *handle, char **access_epoch, char **exposure_epoch,
                          char **last_synchronization, int *num_locked, int **locked_ranks)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct mpilens_window_information window = {.struct_size = sizeof window};
    struct answer_list locked = {.items = NULL};
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_WINDOW, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_window(call.info, &window);
    if (code == mqs_ok)
        code = collect_locked(&call, window.lock_count, &locked);
    char **const wanted[] = {access_epoch, exposure_epoch, last_synchronization};
    char *texts[3];
    const char *const values[] = {epoch_name(window.access_epoch), epoch_name(window.exposure_epoch),
                                  window.synchronization};
    for (int i = 0; i < 3; i++)
        texts[i] = wanted[i] != NULL ? result_text(values[i], true, &code) : NULL;
    for (int i = 0; i < 3; i++) {
        if (code == mqs_ok)
            MPID_GIVE(wanted[i], texts[i]);
        else
            release(texts[i]);
    }
    result_give_list(&locked, code, num_locked, locked_ranks);
    return call_end(&call, code);
}
