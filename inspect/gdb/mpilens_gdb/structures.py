# SPDX-License-Identifier: BSD-3-Clause
"""The structs of message_queue.h and extension.h as ctypes has them.

They are written as in the headers, so that they can be compared (tests/unit/inspect/gdb/check_gdb_structures.py). Those of extension.h begin with
struct_size, by which each side knows how much the other one understands.
"""
import ctypes
import re

_TYPES = {
    'int': ctypes.c_int,
    'size_t': ctypes.c_size_t,
    'int32_t': ctypes.c_int32,
    'uint32_t': ctypes.c_uint32,
    'int64_t': ctypes.c_int64,
    'uint64_t': ctypes.c_uint64,
    'mqs_taddr_t': ctypes.c_ulong,
    'mqs_tword_t': ctypes.c_long,
    'char': ctypes.c_char,
}


def _field(declaration):
    base, name, dimensions = re.fullmatch(r'(\w+) (\w+)((?:\[\d+\])*)', declaration.strip()).groups()
    kind = _TYPES[base]
    for length in reversed(re.findall(r'\d+', dimensions)):
        kind = kind * int(length)
    return name, kind


def _structure(name, declarations):
    fields = [_field(one) for one in ' '.join(declarations.split()).split(';') if one.strip()]
    return type(name, (ctypes.Structure,), {'_fields_': fields})


def new(structure):
    """An empty one for the DLL to fill."""
    result = structure()
    if hasattr(result, 'struct_size'):
        result.struct_size = ctypes.sizeof(structure)
    return result


mqs_target_type_sizes = _structure('mqs_target_type_sizes', '''
    int short_size; int int_size; int long_size; int long_long_size; int pointer_size;''')
mqs_communicator = _structure('mqs_communicator', '''
    mqs_taddr_t unique_id; mqs_tword_t local_rank; mqs_tword_t size; char name[64];''')
mqs_pending_operation = _structure('mqs_pending_operation', '''
    int status; mqs_tword_t desired_local_rank; mqs_tword_t desired_global_rank; int tag_wild; mqs_tword_t
    desired_tag; mqs_tword_t desired_length; int system_buffer; mqs_taddr_t buffer; mqs_tword_t actual_local_rank;
    mqs_tword_t actual_global_rank; mqs_tword_t actual_tag; mqs_tword_t actual_length; char extra_text[5][64];''')
mpilens_clock_information = _structure('mpilens_clock_information', '''
    size_t struct_size; uint32_t clock; uint32_t reserved; uint64_t origin_ticks; uint64_t origin_monotonic;
    uint64_t origin_realtime; uint64_t recent_ticks; uint64_t recent_monotonic;''')
mpilens_process_information = _structure('mpilens_process_information', '''
    size_t struct_size; uint32_t state; uint32_t pid; int32_t thread_level; int32_t world_rank; int32_t
    world_size; uint32_t layout_minor; uint64_t untracked_operations; uint64_t untracked_objects; uint64_t
    memory_bytes; uint64_t torn_records; char library_version[256]; char runtime_version[32]; uint64_t buffer;
    uint64_t buffer_bytes; char job_identity[160];''')
mpilens_thread_information = _structure('mpilens_thread_information', '''
    size_t struct_size; uint32_t index; uint32_t tid; uint32_t ended; uint32_t call_class; char function[48];
    uint32_t polling; uint32_t reserved; uint64_t site; uint64_t entered; uint64_t last_polled; uint64_t polls;
    uint64_t communicator_id; int32_t peer_local; int32_t peer_world; int32_t tag; int32_t tag_wild; uint64_t
    completions; uint64_t operation_serial; uint64_t waiting_count; uint32_t object_kind; uint32_t object_serial;
    uint64_t object_id; uint32_t lock_type; uint32_t reserved_2; uint32_t loop_polls; uint32_t more_polls;''')
mpilens_communicator_information = _structure('mpilens_communicator_information', '''
    size_t struct_size; uint64_t unique_id; uint64_t handle; uint64_t parent_id; uint64_t parent_handle; int32_t
    rank; int32_t size; int32_t remote_size; uint32_t predefined; uint32_t intercommunicator; uint32_t freed;
    uint32_t serial; uint32_t reserved; uint64_t created; uint64_t site; char function[48]; char parent_name[128];
    char name[128]; uint64_t collective_calls; uint64_t errhandler; uint64_t group; uint64_t remote_group;
    uint32_t group_serial; uint32_t remote_group_serial;
    uint32_t constructor_calls; uint32_t reserved_2;''')
mpilens_collective_class_information = _structure('mpilens_collective_class_information', '''
    size_t struct_size; uint64_t count; uint32_t active; uint32_t reserved; char name[32];''')
mpilens_collective_information = _structure('mpilens_collective_information', '''
    size_t struct_size; uint64_t serial; uint64_t entered; uint64_t site; char function[48]; uint32_t active;
    uint32_t has_root; int32_t root; uint32_t reserved; int64_t count; int64_t bytes; char datatype[128]; uint64_t
    op; uint64_t buffer;
    char op_name[32]; uint64_t op_function; uint64_t signature;''')
mpilens_operation_information = _structure('mpilens_operation_information', '''
    size_t struct_size; uint64_t serial; uint64_t posted; uint64_t site; uint64_t request; uint64_t buffer;
    uint64_t communicator_id; char function[48]; char datatype[128]; uint64_t datatype_handle; uint32_t state;
    uint32_t flags; uint32_t thread_index; uint32_t tag_wild; int32_t peer_local; int32_t peer_world; int32_t tag;
    int32_t actual_local; int32_t actual_world; int32_t actual_tag; int64_t actual_bytes; int64_t count; int64_t
    bytes; int64_t partition_count; int64_t partitions_marked;''')
mpilens_channel_information = _structure('mpilens_channel_information', '''
    size_t struct_size; int32_t peer_local; int32_t peer_world; uint64_t sent; uint64_t received;''')
mpilens_message_information = _structure('mpilens_message_information', '''
    size_t struct_size; uint64_t handle; uint64_t matched; uint64_t site; char function[48]; int32_t source_local;
    int32_t source_world; int32_t tag; int32_t reserved; int64_t bytes;''')
mpilens_request_information = _structure('mpilens_request_information', '''
    size_t struct_size; uint64_t serial; uint32_t operation_class; uint32_t flags; uint32_t state; uint32_t
    active; uint32_t complete; uint32_t persistent; uint64_t request; uint64_t posted; uint64_t site; char
    function[48]; uint64_t communicator_id; uint64_t object_id; uint32_t object_kind; uint32_t object_serial;
    uint32_t thread_index; uint32_t has_root; uint32_t tag_wild; int32_t peer_local; int32_t peer_world; int32_t
    tag; uint64_t collective; int64_t offset; int64_t count; int64_t bytes; char datatype[128]; uint64_t
    datatype_handle; uint64_t buffer; int64_t partition_count; int64_t fortran_handle; uint32_t has_fortran_handle;
    uint32_t sharers; uint32_t to_nobody; uint32_t reserved;''')
mpilens_object_information = _structure('mpilens_object_information', '''
    size_t struct_size; uint32_t kind; uint32_t flags; uint64_t handle; uint32_t serial; uint32_t references;
    uint32_t users; uint32_t predefined; uint32_t freed; uint32_t origin_unseen; uint64_t site; uint64_t created;
    uint64_t communicator_id; char function[48]; char name[256];''')
mpilens_window_information = _structure('mpilens_window_information', '''
    size_t struct_size; uint64_t unique_id; uint64_t communicator_id; uint32_t flavor; uint32_t access_epoch;
    uint32_t exposure_epoch; int32_t displacement_unit; uint64_t base; uint64_t bytes; uint64_t operations;
    uint64_t operations_since; uint64_t synchronizations; char synchronization[48]; uint64_t synchronization_site;
    uint64_t synchronization_time; uint32_t lock_count; int32_t access_group_size; int32_t exposure_group_size;
    int32_t reserved; uint64_t errhandler; uint64_t collective_calls;''')
mpilens_window_lock_information = _structure('mpilens_window_lock_information', '''
    size_t struct_size; int32_t target_local; int32_t target_world; uint32_t type; uint32_t reserved; uint64_t
    site; uint64_t locked;''')
mpilens_file_information = _structure('mpilens_file_information', '''
    size_t struct_size; uint64_t unique_id; uint64_t communicator_id; uint32_t mode; uint32_t atomicity; int64_t
    view_displacement; char view_etype[128]; char view_filetype[128]; char view_representation[32]; char
    split_collective[48]; uint64_t split_collective_site; uint64_t operations; uint64_t errhandler; uint64_t
    collective_calls;''')
mpilens_op_information = _structure('mpilens_op_information', '''
    size_t struct_size; uint64_t user_function; uint32_t commutative; uint32_t reserved;''')
mpilens_errhandler_information = _structure('mpilens_errhandler_information', '''
    size_t struct_size; uint64_t user_function; uint32_t attachable; uint32_t reserved;''')
mpilens_keyval_information = _structure('mpilens_keyval_information', '''
    size_t struct_size; uint64_t copy_function; uint64_t delete_function; uint64_t extra_state; uint32_t
    attachable; uint32_t reserved;''')
mpilens_attribute_information = _structure('mpilens_attribute_information', '''
    size_t struct_size; uint64_t value; uint64_t keyval_handle; uint64_t object_handle; uint32_t object_kind;
    uint32_t object_serial; uint32_t keyval_serial; uint32_t reserved; uint64_t site; char keyval_name[32];''')
mpilens_session_information = _structure('mpilens_session_information', '''
    size_t struct_size; uint64_t buffer; uint64_t buffer_bytes; int32_t thread_level; int32_t reserved; uint64_t
    errhandler;''')
mpilens_datatype_information = _structure('mpilens_datatype_information', '''
    size_t struct_size; int64_t size; uint32_t committed; uint32_t reserved;''')
mpilens_group_information = _structure('mpilens_group_information', '''
    size_t struct_size; int32_t size; int32_t rank;''')
mpilens_handle_information = _structure('mpilens_handle_information', '''
    size_t struct_size; int64_t fortran_handle; uint32_t has_fortran_handle; uint32_t from_fortran; uint64_t
    freed_site; char freed_function[48];''')
mpilens_user_information = _structure('mpilens_user_information', '''
    size_t struct_size; uint32_t kind; uint32_t serial; uint64_t handle; uint64_t operation_serial; char
    name[256];''')
mpilens_rank_range = _structure('mpilens_rank_range', '''
    int32_t first; int32_t stride; int32_t count;''')
mpilens_topology_information = _structure('mpilens_topology_information', '''
    size_t struct_size; uint32_t kind; uint32_t reordered; uint32_t weighted; int32_t first_count; int32_t
    second_count; uint32_t value_count;''')
mpilens_datatype_contents = _structure('mpilens_datatype_contents', '''
    size_t struct_size; uint32_t combiner; uint32_t integer_count; uint32_t address_count; uint32_t
    datatype_count; uint32_t cut; uint32_t reserved; int64_t lower_bound; int64_t extent; int64_t
    true_lower_bound; int64_t true_extent;''')
mpilens_type_map_entry = _structure('mpilens_type_map_entry', '''
    size_t struct_size; char basic[128]; int64_t basic_size; int64_t displacement; int64_t count; int64_t stride;
    int64_t repeat; int64_t repeat_stride;''')
mpilens_status_information = _structure('mpilens_status_information', '''
    size_t struct_size; int32_t source; int32_t tag; int32_t error; uint32_t ignored; int64_t bytes; int32_t
    cancelled; uint32_t reserved;''')
