/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points about the DLL: callbacks, versions, and a sentence for every code.
 */
#include "mpilens/extension.h"
#include "mpilens/layout.h"
#include "target/target.h"

#define TEXT_OF(number)  #number
#define VALUE_OF(number) TEXT_OF(number)

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *given)
{
    if (given != NULL) /* else those that are there stay: the interface has no way to say that none were taken */
        basic_callbacks_exchange(given);
}

char *mqs_version_string(void)
{
    static char text[] =
        "mpilens " MPILENS_VERSION
        " message queues of any MPI, layout " VALUE_OF(MPILENS_LAYOUT_MAJOR) "." VALUE_OF(MPILENS_LAYOUT_MINOR);
    return text;
}

int mqs_version_compatibility(void)
{
    return MQS_INTERFACE_COMPATIBILITY;
}

int mqs_dll_taddr_width(void)
{
    return (int)sizeof(mqs_taddr_t);
}

/* errors.def has the numbers of message_queue.h. */
#define CODE(constant, number, mpidbg_result, mpid_result, text) static_assert((constant) == (number), #constant);
MPILENS_PUBLIC_CODES(CODE)
#undef CODE
static_assert((int)MPILENS_ERROR_NO_CALLBACKS == mqs_first_user_code, "the codes of this DLL begin elsewhere");

int mpilens_extension_version(void)
{
    return MPILENS_EXTENSION_VERSION;
}

char *mqs_dll_error_string(int code)
{
#define CODE(constant, number, mpidbg_result, mpid_result, text)                                                       \
    case constant:                                                                                                     \
        return text;
    switch (code) {
        MPILENS_PUBLIC_CODES(CODE)
        MPILENS_OWN_CODES(CODE)
    default:
        return "Unknown code: not one of this DLL.";
    }
#undef CODE
}
