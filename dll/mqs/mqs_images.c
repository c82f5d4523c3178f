/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points about images (5.8).
 */
#include "process/process.h"
#include "target/target.h"

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *given)
{
    return image_info_set_up(image, given, INTERFACE_MQS);
}

/* An image may be only the executable, and the runtime is a shared library: whether there are queues cannot be told
 * from it. So every image passes and mqs_process_has_queues answers; debuggers that cache this answer then still ask
 * there. */
int mqs_image_has_queues(mqs_image *image, char **ret_message)
{
    const mqs_basic_callbacks *basic = basic_callbacks();
    const int code = basic == NULL                                 ? MPILENS_ERROR_NO_CALLBACKS
                     : image == NULL                               ? MPILENS_ERROR_BAD_ARGUMENT
                     : basic->mqs_get_image_info_fp(image) != NULL ? mqs_ok
                                                                   : MPILENS_ERROR_NOT_SET_UP;
    if (ret_message != NULL)
        *ret_message = code == mqs_ok ? NULL : mqs_dll_error_string(code);
    return code;
}

int mqs_destroy_image_info(mqs_image_info *info)
{
    if (info_exists(info) && info_owners_leave(&info->owners, INTERFACE_MQS))
        info_release(&info->owners);
    return mqs_ok;
}
