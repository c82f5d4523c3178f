/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the DLL says about itself: versions, and a sentence for every code.
 */
#include "mpilens/extension.h"
#include "mpilens/layout.h"

#define TEXT_OF(number)  #number
#define VALUE_OF(number) TEXT_OF(number)

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

int mpilens_extension_version(void)
{
    return MPILENS_EXTENSION_VERSION;
}

char *mqs_dll_error_string(int code)
{
    switch (code) {
    case mqs_ok:
        return "No error.";
    case mqs_no_information:
        return "There is no such information about this process.";
    case mqs_end_of_list:
        return "There is nothing more in the list.";
    case MPILENS_ERROR_NO_CALLBACKS:
        return "The debugger has not given its callbacks (mqs_setup_basic_callbacks), or a required one is missing.";
    case MPILENS_ERROR_NO_MEMORY:
        return "The debugger has no memory left for a copy of the state of the process.";
    case MPILENS_ERROR_BAD_ARGUMENT:
        return "The debugger called a function of the DLL with an argument that is not allowed.";
    case MPILENS_ERROR_NOT_SET_UP:
        return "The image or the process was not set up (mqs_setup_image, mqs_setup_process).";
    case MPILENS_ERROR_RUNTIME_NOT_LOADED:
        return "The process has no mpilens runtime: start the job with `mpilens run`.";
    case MPILENS_ERROR_NOT_INITIALIZED:
        return "The process has the mpilens runtime and has not called MPI yet.";
    case MPILENS_ERROR_OTHER_MAJOR:
        return "The mpilens runtime in the process and this DLL are of different versions: install matching ones.";
    case MPILENS_ERROR_UNREADABLE:
        return "Memory of the process could not be read.";
    case MPILENS_ERROR_CORRUPT:
        return "The mpilens state in the process makes no sense: it was overwritten, or the core file is incomplete.";
    case MPILENS_ERROR_NO_CURRENT:
        return "The iterator has no current element.";
    case MPILENS_ERROR_INCONSISTENT:
        return "The state of the process kept changing while it was read.";
    case MPILENS_ERROR_BEYOND_BUDGET:
        return "The mpilens state in the process makes no sense: it is said to be larger than the runtime can have "
               "made it.";
    default:
        return "Unknown code: not one of this DLL.";
    }
}
