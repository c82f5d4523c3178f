/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about who refers to an object, and about the attributes that it has.
 */
#ifndef MPILENS_DLL_REPLIES_USERS_H
#define MPILENS_DLL_REPLIES_USERS_H

#include "process/process_info.h"

/* Makes the list of the users of the current object, in a whole copy, unless it is there: finding them reads the
 * arguments of many datatypes. */
int users_need(mqs_process_info *info);

/* One of a user list. */
void user_describe(const struct reading *reading, const struct sort_entry *entry,
                   struct mpilens_user_information *ret_answer);

/* Whether nothing refers to the current object: no record that counts its users, no list of users. */
bool reply_is_unused(mqs_process_info *info, const struct mpilens_object_information *object);

int reply_setup_user_iterator(mqs_process_info *info);
int reply_next_user(mqs_process_info *info, struct mpilens_user_information *ret_user);
int reply_setup_attribute_iterator(mqs_process_info *info);
int reply_next_attribute(mqs_process_info *info, struct mpilens_attribute_information *ret_attribute);

#endif
