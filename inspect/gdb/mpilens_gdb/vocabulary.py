# SPDX-License-Identifier: BSD-3-Clause
"""Names of the headers' numbers, and names of kinds of objects in commands and programs."""
from .contract import PHRASES, WORDS
from .contract import MPILENS_OBJECT_COMMUNICATOR as COMMUNICATOR
from .contract import MPILENS_OBJECT_GROUP as GROUP
from .contract import MPILENS_OBJECT_DATATYPE as DATATYPE
from .contract import MPILENS_OBJECT_OP as OP
from .contract import MPILENS_OBJECT_ERRHANDLER as ERRHANDLER
from .contract import MPILENS_OBJECT_INFO as INFO
from .contract import MPILENS_OBJECT_KEYVAL as KEYVAL
from .contract import MPILENS_OBJECT_SESSION as SESSION
from .contract import MPILENS_OBJECT_WINDOW as WINDOW
from .contract import MPILENS_OBJECT_FILE as FILE
from .contract import MPILENS_OBJECT_MESSAGE as MESSAGE
from .contract import MPILENS_OBJECT_ATTRIBUTE as ATTRIBUTE
from .contract import MPILENS_OBJECT_REQUEST as REQUEST
from .contract import MPILENS_OBJECT_STATUS as STATUS
from .contract import MPILENS_HANDLE_C as C
from .contract import MPILENS_HANDLE_FORTRAN as FORTRAN
from .contract import mqs_pending_receives, mqs_pending_sends, mqs_unexpected_messages

SENDS, RECEIVES, UNEXPECTED = mqs_pending_sends, mqs_pending_receives, mqs_unexpected_messages
QUEUES = {SENDS: "send", RECEIVES: "receive", UNEXPECTED: "unexpected"}
STATUSES = WORDS["status"]

# Words of `mpi handle`.
KIND_NAMES = WORDS["object_kind"]
KINDS = {name: number for number, name in KIND_NAMES.items()}
KIND_ABBREVIATIONS = {
    "comm": "communicator",
    "type": "datatype",
    "win": "window",
    "req": "request",
    "errh": "errhandler",
}

# Types of mpi.h and of the module mpi_f08 (there with a lower-case name), and what their values name.
HANDLE_TYPES = {
    "MPI_Comm": COMMUNICATOR,
    "MPI_Group": GROUP,
    "MPI_Datatype": DATATYPE,
    "MPI_Op": OP,
    "MPI_Errhandler": ERRHANDLER,
    "MPI_Info": INFO,
    "MPI_Session": SESSION,
    "MPI_Win": WINDOW,
    "MPI_File": FILE,
    "MPI_Message": MESSAGE,
    "MPI_Request": REQUEST,
}

PROCESS_STATES = WORDS["process_state"]
THREAD_STATES = WORDS["thread_state"]
THREAD_LEVELS = WORDS["thread_level"]
OBJECT_STATES = PHRASES["object_state"]
OBJECT_FLAGS = PHRASES["object_flag"]
COMMUNICATOR_FLAGS = {**OBJECT_FLAGS, **PHRASES["communicator_flag"]}
DATATYPE_FLAGS = {**OBJECT_FLAGS, **PHRASES["datatype_flag"]}
KEYVAL_FLAGS = {**OBJECT_FLAGS, **PHRASES["keyval_flag"]}
OPERATION_STATES = WORDS["operation_state"]
OPERATION_FLAGS = {**WORDS["operation_class"], **PHRASES["operation_mode"]}
WINDOW_FLAVORS = WORDS["window_flavor"]
EPOCHS = WORDS["epoch"]
LOCK_TYPES = WORDS["lock_type"]
FILE_MODES = WORDS["file_mode"]
ATTACHABLES = PHRASES["attachable"]
TOPOLOGIES = PHRASES["topology"]
TABLES = WORDS["table"]  # by record


def word(words, number):
    """The word for a number of an enum; the number itself where it has none."""
    return words.get(number, str(number))


def flags(words, number):
    """The words for the bits that are set."""
    return [text for bit, text in words.items() if number & bit]
