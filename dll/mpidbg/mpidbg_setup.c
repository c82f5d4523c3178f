/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_* entry points that set up and finish: the DLL, images, processes.
 */
#include "mpidbg/mpidbg_internal.h"
#include "process/process.h"
#include "target/target.h"

#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
char mpidbg_dll_is_big_endian = 1;
#else
char mpidbg_dll_is_big_endian = 0;
#endif
char mpidbg_dll_bitness = 8 * sizeof(void *);

#define COMM_CAPABILITIES                                                                                              \
    (enum mpidbg_comm_capabilities_t)(MPIDBG_COMM_CAP_BASIC | MPIDBG_COMM_CAP_STRING_NAMES |                           \
                                      MPIDBG_COMM_CAP_FREED_HANDLE | MPIDBG_COMM_CAP_FREED_OBJECT |                    \
                                      MPIDBG_COMM_CAP_REQUEST_LIST | MPIDBG_COMM_CAP_WINDOW_LIST |                     \
                                      MPIDBG_COMM_CAP_FILE_LIST)
#define ERRH_CAPABILITIES                                                                                              \
    (enum mpidbg_errhandler_capabilities_t)(MPIDBG_ERRH_CAP_BASIC | MPIDBG_ERRH_CAP_STRING_NAMES |                     \
                                            MPIDBG_ERRH_CAP_FREED_HANDLE | MPIDBG_ERRH_CAP_FREED_OBJECT |              \
                                            MPIDBG_ERRH_CAP_HANDLE_LIST)
/* Documents differ on when they are set: they always are. */
enum mpidbg_comm_capabilities_t mpidbg_comm_capabilities = COMM_CAPABILITIES;
enum mpidbg_errhandler_capabilities_t mpidbg_errhandler_capabilities = ERRH_CAPABILITIES;
enum mpidbg_request_capabilities_t mpidbg_request_capabilities = MPIDBG_REQUEST_CAP_BASIC;
enum mpidbg_status_capabilities_t mpidbg_status_capabilities = MPIDBG_STATUS_CAP_BASIC;

int mpidbg_init_once(const mqs_basic_callbacks *given)
{
    const mqs_basic_callbacks *former;
    const mqs_basic_callbacks *before = inquiry_use_callbacks(given);
    if (inquiry_enter(&former) == NULL) {
        inquiry_use_callbacks(before);
        return MPIDBG_ERR_NOT_SUPPORTED;
    }
    inquiry_leave(former);
    return MPIDBG_SUCCESS;
}

int mpidbg_interface_version_compatibility(void)
{
    return MPIDBG_INTERFACE_VERSION;
}

char *mpidbg_version_string(void)
{
    static char text[] = "mpilens " MPILENS_VERSION " handles of any MPI";
    return text;
}

int mpidbg_dll_taddr_width(void)
{
    return (int)sizeof(mqs_taddr_t);
}

/* By their order in struct mpidbg_handle_info_t. */
static const struct {
    const char *name;
    mqs_lang_code language;
} type_names[] = {
    {"MPI_Aint", mqs_lang_c},
    {"MPI_Comm", mqs_lang_c},
    {"MPI_Datatype", mqs_lang_c},
    {"MPI_Errhandler", mqs_lang_c},
    {"MPI_File", mqs_lang_c},
    {"MPI_Group", mqs_lang_c},
    {"MPI_Info", mqs_lang_c},
    {"MPI_Offset", mqs_lang_c},
    {"MPI_Op", mqs_lang_c},
    {"MPI_Request", mqs_lang_c},
    {"MPI_Status", mqs_lang_c},
    {"MPI_Win", mqs_lang_c},
    {"MPI::Aint", mqs_lang_cplus},
    {"MPI::Comm", mqs_lang_cplus},
    {"MPI::Intracomm", mqs_lang_cplus},
    {"MPI::Intercomm", mqs_lang_cplus},
    {"MPI::Graphcomm", mqs_lang_cplus},
    {"MPI::Cartcomm", mqs_lang_cplus},
    {"MPI::Datatype", mqs_lang_cplus},
    {"MPI::Errhandler", mqs_lang_cplus},
    {"MPI::File", mqs_lang_cplus},
    {"MPI::Group", mqs_lang_cplus},
    {"MPI::Info", mqs_lang_cplus},
    {"MPI::Offset", mqs_lang_cplus},
    {"MPI::Op", mqs_lang_cplus},
    {"MPI::Request", mqs_lang_cplus},
    {"MPI::Prequest", mqs_lang_cplus},
    {"MPI::Grequest", mqs_lang_cplus},
    {"MPI::Status", mqs_lang_cplus},
    {"MPI::Win", mqs_lang_cplus},
};

enum { TYPE_COUNT = sizeof type_names / sizeof type_names[0] };
static_assert(sizeof(struct mpidbg_handle_info_t) == TYPE_COUNT * sizeof(mqs_type *), "one name for each type");

static void find_types(mqs_image *image, const mqs_image_callbacks *given, struct mpidbg_handle_info_t *types)
{
    mqs_type *found[TYPE_COUNT] = {NULL};
    for (int i = 0; given->mqs_find_type_fp != NULL && i < TYPE_COUNT; i++) {
        char changeable[32];
        strncpy(changeable, type_names[i].name, sizeof changeable - 1);
        changeable[sizeof changeable - 1] = '\0';
        found[i] = given->mqs_find_type_fp(image, changeable, type_names[i].language);
    }
    memcpy(types, found, sizeof found);
}

int mpidbg_init_per_image(mqs_image *image, const mqs_image_callbacks *given, struct mpidbg_handle_info_t *types)
{
    const mqs_basic_callbacks *former;
    if (inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_SUPPORTED;
    int code = image_info_set_up(image, given, INTERFACE_MPIDBG);
    inquiry_leave(former);
    if (code == mqs_ok && types != NULL)
        find_types(image, given, types);
    return code == MPILENS_ERROR_BAD_ARGUMENT ? MPIDBG_ERR_NOT_SUPPORTED : inquiry_result(code);
}

void mpidbg_finalize_per_image(mqs_image *image, mqs_image_info *given)
{
    const mqs_basic_callbacks *former;
    if (image == NULL || inquiry_enter(&former) == NULL)
        return;
    mqs_image_info *info = info_exists(given) ? given : basic_callbacks()->mqs_get_image_info_fp(image);
    if (info_exists(info) && info->image == image && (info->owners.interfaces & INTERFACE_MPIDBG) &&
        info_owners_leave(&info->owners, INTERFACE_MPIDBG))
        info_release(&info->owners);
    inquiry_leave(former);
}

int mpidbg_init_per_process(mqs_process *process, const mqs_process_callbacks *given,
                            struct mpidbg_handle_info_t *types)
{
    (void)types;
    const mqs_basic_callbacks *former;
    if (process == NULL || given == NULL || given->mqs_get_image_fp == NULL || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_SUPPORTED;
    mqs_image *image = given->mqs_get_image_fp(process);
    int code = MPIDBG_ERR_NOT_SUPPORTED;
    if (image != NULL && info_exists(basic_callbacks()->mqs_get_image_info_fp(image)))
        code = inquiry_result(process_info_set_up(process, given, INTERFACE_MPIDBG));
    mqs_process_info *info = code == MPIDBG_SUCCESS ? process_info(process) : NULL;
    if (info != NULL) {
        code = inquiry_result(process_info_put_aside(info, given));
        if (code != MPIDBG_SUCCESS && info_owners_leave(&info->owners, INTERFACE_MPIDBG))
            info_release(&info->owners);
    }
    inquiry_leave(former);
    if (info != NULL && code == MPIDBG_SUCCESS)
        inquiry_want_names(info->aside);
    struct inquiry inquiry;
    if (code == MPIDBG_SUCCESS && inquiry_begin(process, info, &inquiry) == MPIDBG_SUCCESS)
        inquiry_end(&inquiry); /* the names, if MPI is there */
    return code;
}

void mpidbg_finalize_per_process(mqs_process *process, mqs_process_info *given)
{
    const mqs_basic_callbacks *former;
    if (process == NULL || inquiry_enter(&former) == NULL)
        return;
    mqs_process_info *info = inquiry_process_info(process, given);
    if (info != NULL) {
        inquiry_forget_names(info->aside);
        process_info_drop_aside(info);
        if (info_owners_leave(&info->owners, INTERFACE_MPIDBG)) {
            process_info_empty(info);
            info_release(&info->owners);
        }
    }
    inquiry_leave(former);
}
