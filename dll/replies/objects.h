/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about objects of every kind, and what only some kinds have. Windows and files have their own
 * files.
 */
#ifndef MPILENS_DLL_REPLIES_OBJECTS_H
#define MPILENS_DLL_REPLIES_OBJECTS_H

#include "process/process_info.h"

int reply_setup_object_iterator(mqs_process_info *info, int kind);
int reply_next_object(mqs_process_info *info, struct mpilens_object_information *ret_object);
int reply_get_op(mqs_process_info *info, struct mpilens_op_information *ret_op);
int reply_get_errhandler(mqs_process_info *info, struct mpilens_errhandler_information *ret_errhandler);
int reply_get_keyval(mqs_process_info *info, struct mpilens_keyval_information *ret_keyval);
int reply_get_attribute(mqs_process_info *info, struct mpilens_attribute_information *ret_attribute);
int reply_get_session(mqs_process_info *info, struct mpilens_session_information *ret_session);
int reply_get_datatype(mqs_process_info *info, struct mpilens_datatype_information *ret_datatype);
int reply_get_group(mqs_process_info *info, struct mpilens_group_information *ret_group);

#endif
