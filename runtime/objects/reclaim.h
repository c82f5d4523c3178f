/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of freed communicators and datatypes stay while live operations, messages, windows, files or calls
 * refer to them, and some longer, for the flight recorder's sake.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_RECLAIM_H
#define MPILENS_RUNTIME_OBJECTS_RECLAIM_H

#include "mpilens/layout.h"

#include <stdbool.h>

/* The application has freed communicator or datatype `record`: its state becomes MPILENS_OBJECT_FREED. False: it is
 * predefined, NULL, or another thread, which may have got its handle for a new object already, has come here first. */
bool reclaim_set_freed(void *record);

/* The record is not given back while a call needs it. NULL is fine. */
void *reclaim_hold(void *record);
void reclaim_release(void *record);

/* Gives back what a record holds beside itself. The same one for all records of a kind. */
typedef void give_back_contents(void *record);

/* Communicator or datatype `record`, state MPILENS_OBJECT_FREED, is to be given back when nothing live refers to it. */
void reclaim_later(enum mpilens_table_kind kind, void *record, give_back_contents *give_back);

#endif
