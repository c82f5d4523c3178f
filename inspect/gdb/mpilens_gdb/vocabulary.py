# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the headers (message_queue.h, extension.h, object_kind.h, layout.h) and their words."""

OK, NO_INFORMATION, END_OF_LIST, FIRST_USER_CODE = 0, 1, 2, 100
COMPATIBILITY = 2
EXTENSION_VERSION = 1
(ERROR_NO_CALLBACKS, ERROR_NO_MEMORY, ERROR_BAD_ARGUMENT, ERROR_NOT_SET_UP, ERROR_RUNTIME_NOT_LOADED,
 ERROR_NOT_INITIALIZED, ERROR_OTHER_MAJOR, ERROR_UNREADABLE, ERROR_CORRUPT, ERROR_NO_CURRENT,
 ERROR_INCONSISTENT, ERROR_BEYOND_BUDGET) = range(FIRST_USER_CODE, FIRST_USER_CODE + 12)

SENDS, RECEIVES, UNEXPECTED = range(3)
QUEUES = {SENDS: 'send', RECEIVES: 'receive', UNEXPECTED: 'unexpected'}
STATUSES = ('pending', 'matched', 'complete')

# enum mpilens_object_kind: words of `mpi handle`.
KINDS = {'communicator': 1, 'group': 2, 'datatype': 3, 'op': 4, 'errhandler': 5, 'info': 6, 'keyval': 7, 'session': 8,
         'window': 9, 'file': 10, 'message': 11, 'attribute': 12, 'request': 13, 'status': 14}
(COMMUNICATOR, GROUP, DATATYPE, OP, ERRHANDLER, INFO, KEYVAL, SESSION, WINDOW, FILE, MESSAGE, ATTRIBUTE, REQUEST,
 STATUS) = range(1, 15)
KIND_NAMES = {number: name for name, number in KINDS.items()}
KIND_ABBREVIATIONS = {'comm': 'communicator', 'type': 'datatype', 'win': 'window', 'req': 'request',
                      'errh': 'errhandler'}

# Types of mpi.h and of the module mpi_f08 (there with a lower-case name), and what their values name.
HANDLE_TYPES = {'MPI_Comm': COMMUNICATOR, 'MPI_Group': GROUP, 'MPI_Datatype': DATATYPE, 'MPI_Op': OP,
                'MPI_Errhandler': ERRHANDLER, 'MPI_Info': INFO, 'MPI_Session': SESSION, 'MPI_Win': WINDOW,
                'MPI_File': FILE, 'MPI_Message': MESSAGE, 'MPI_Request': REQUEST}

C, FORTRAN = range(2)  # enum mpilens_handle_language

OBJECT_LIVE, OBJECT_FREED = 1, 2
OBJECT_PREDEFINED, OBJECT_NULL = 0x1, 0x10

# enum mpilens_operation_state
OPERATION_STATES = ('unused', 'pending', 'matched', 'complete', 'persistent', 'released', 'retired', 'abandoned')
OPERATION_CLASSES = {0x1: 'send', 0x2: 'receive', 0x4: 'collective', 0x8: 'one-sided', 0x8000: 'file',
                     0x10000: 'communicator', 0x20000: 'generalized', 0x40000: 'buffer'}
OPERATION_MODES = {0x10: 'blocking', 0x20: 'synchronous', 0x40: 'buffered', 0x80: 'ready', 0x100: 'from persistent',
                   0x200: 'partitioned', 0x400: 'from message', 0x1000: 'cancel called', 0x2000: 'cancelled'}
OPERATION_SEND, OPERATION_MESSAGE_CLASSES, OPERATION_FROM_PERSISTENT = 0x1, 0x3, 0x100
OPERATION_COMPLETE = 3

PROCESS_STATES = ('unused', 'initializing', 'running', 'finalizing', 'finalized', 'aborting')
PROCESS_FINALIZED = 4
THREAD_LEVELS = ('single', 'funneled', 'serialized', 'multiple')
WINDOW_FLAVORS = ('', 'create', 'allocate', 'shared', 'dynamic')
EPOCHS = ('none', 'fence', 'group', 'lock', 'lock_all')
LOCK_TYPES = ('', 'shared', 'exclusive')
FILE_MODES = {0x1: 'create', 0x2: 'rdonly', 0x4: 'wronly', 0x8: 'rdwr', 0x10: 'excl', 0x20: 'delete_on_close',
              0x40: 'unique_open', 0x80: 'sequential', 0x100: 'append'}
ATTACHABLES = ('any object', 'communicators', 'datatypes', 'windows', 'files', 'sessions')
TOPOLOGIES = ('none', 'cartesian', 'graph', 'distributed graph')
TABLES = ('operation', 'communicator', 'group', 'datatype', 'thread', 'channel', 'message', 'op', 'errhandler', 'info',
          'keyval', 'attribute', 'session', 'window', 'file', 'partitions')  # enum mpilens_table_kind, by record


def word(words, number):
    """The word for a number of an enum; the number itself where it has none."""
    return words[number] if 0 <= number < len(words) else str(number)


def flags(words, number):
    """The words for the bits that are set."""
    return [text for bit, text in words.items() if number & bit]
