/* What a wrapper's body does, one section per kind of function; the generator fills in @...@:
 *
 *   @real@                the call of the real function with the caller's arguments
 *   @function@            the function's number
 *   @arguments@           struct operation_arguments that the table names
 *   @begin@               operation_begin with them (@begin_send@, @begin_recv@: of a half)
 *   @collective@          collective_begin likewise      @class@  collective class
 *   @derive@              the derivation of a communicator
 *   @any role@            the parameter with that role
 *
 * "borrows" and "takes" say where the record `operation` comes from that the wrapper's quick look has found, with `entry`, before
 * the body begins: the recorder, or the free list. "finds": it may find that the request is a simple send; then it does without the body.
 */

%% send (borrows)
    operation_begin_at(thread, entry, operation, @arguments@);
    call_begin_operation(thread, @function@, operation);
    int error = @real@;
    operation_sent_blocking(thread, operation, error);

%% receive (borrows)
    operation_begin_at(thread, entry, operation, @arguments@);
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    call_begin_operation(thread, @function@, operation);
    struct mpilens_channel *channel = entry->channel;
    int error = @real@;
    operation_received_blocking(thread, operation, channel, @status@, error);

%% send_nonblocking (takes)
    operation_begin_at(thread, entry, operation, @arguments@);
    call_begin_operation(thread, @function@, operation);
    int error = @real@;
    if (likely(error == MPI_SUCCESS))
        operation_bind(thread, operation, HANDLE_VALUE(*@request@));
    else
        operation_failed(thread, operation);

%% receive_nonblocking = send_nonblocking

%% send_persistent
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        persistent_bind(thread, @begin@, HANDLE_VALUE(*@request@));

%% receive_persistent = send_persistent

%% sendrecv
    struct mpilens_operation *send = @begin_send@;
    struct mpilens_operation *receive = send ? @begin_recv@ : NULL;
    if (unlikely(!receive)) {
        if (send)
            operation_failed(thread, send);
        CALL_UNTRACKED(@function@, @real@);
    }
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    thread->published.operation_2 = (uint64_t)(uintptr_t)send;
    call_begin_operation(thread, @function@, receive);
    int error = @real@;
    operation_sent(thread, send, error);
    operation_received_beside(thread, receive, @status@, error);
    thread->published.operation_2 = 0;

%% sendrecv_replace = sendrecv

%% sendrecv_nonblocking
    struct mpilens_operation *send = @begin_send@;
    struct mpilens_operation *receive = send ? @begin_recv@ : NULL;
    if (unlikely(!receive)) {
        if (send)
            operation_failed(thread, send);
        CALL_UNTRACKED(@function@, @real@);
    }
    call_begin_operation(thread, @function@, receive);
    int error = @real@;
    if (error == MPI_SUCCESS) {
        send->request = HANDLE_VALUE(*@request@);
        receive->partner = (uint64_t)(uintptr_t)send;
        receive->flags |= MPILENS_OPERATION_PAIRED;
        operation_bind(thread, receive, HANDLE_VALUE(*@request@));
    } else {
        operation_failed(thread, send);
        operation_failed(thread, receive);
    }

%% sendrecv_replace_nonblocking = sendrecv_nonblocking

%% probe
    call_begin_probe(thread, @function@, site, @communicator@, @peer@, @tag@);
    int error = @real@;

%% iprobe
    call_begin_probe(thread, @function@, site, @communicator@, @peer@, @tag@);
    int error = @real@;
    if (error == MPI_SUCCESS && !*@flag@)
        completion_poll(thread, @function@, NULL, thread->published.communicator, @peer@, @tag@);

%% mprobe
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    call_begin_probe(thread, @function@, site, @communicator@, @peer@, @tag@);
    int error = @real@;
    if (error == MPI_SUCCESS)
        message_matched(@function@, site, @communicator@, *@message@, @status@);

%% improbe
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    call_begin_probe(thread, @function@, site, @communicator@, @peer@, @tag@);
    int error = @real@;
    if (error == MPI_SUCCESS && !*@flag@)
        completion_poll(thread, @function@, NULL, thread->published.communicator, @peer@, @tag@);
    else if (error == MPI_SUCCESS)
        message_matched(@function@, site, @communicator@, *@message@, @status@);

%% mrecv
    struct mpilens_message message = message_find(*@message@);
    struct mpilens_operation *operation = @begin_message@;
    if (unlikely(!operation))
        CALL_UNTRACKED(@function@, @real@);
    operation_matched(operation, &message);
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    call_begin_operation(thread, @function@, operation);
    int error = @real@;
    operation_received_beside(thread, operation, @status@, error);
    if (error == MPI_SUCCESS)
        message_received(message.handle);

%% imrecv
    struct mpilens_message message = message_find(*@message@);
    struct mpilens_operation *operation = @begin_message@;
    if (unlikely(!operation))
        CALL_UNTRACKED(@function@, @real@);
    operation_matched(operation, &message);
    call_begin_operation(thread, @function@, operation);
    int error = @real@;
    if (error == MPI_SUCCESS) {
        operation_bind(thread, operation, HANDLE_VALUE(*@request@));
        message_received(message.handle);
    } else
        operation_failed(thread, operation);

%% wait (finds)
    uint64_t request = unlikely(!@request@) ? 0 : HANDLE_VALUE(*@request@);
    struct mpilens_operation *operation = completion_begin(thread, @function@, site, @request@, &@status@);
    int error = @real@;
    completion_end(thread, operation, request, @request@, @status@, error);

%% test
    uint64_t request = unlikely(!@request@) ? 0 : HANDLE_VALUE(*@request@);
    struct mpilens_operation *operation = completion_begin(thread, @function@, site, @request@, &@status@);
    int error = @real@;
    if (*@flag@)
        completion_end(thread, operation, request, @request@, @status@, error);
    else
        completion_poll(thread, @function@, operation, 0, 0, 0);

%% waitall
    bool tracked = completion_begin_array(thread, @function@, site, (int)@array_count@, @requests@, &@statuses@);
    int error = @real@;
    if (tracked)
        completion_end_all(thread, (int)@array_count@, @requests@, @statuses@, error, true);

%% testall
    bool tracked = completion_begin_array(thread, @function@, site, (int)@array_count@, @requests@, &@statuses@);
    int error = @real@;
    if (tracked)
        completion_end_all(thread, (int)@array_count@, @requests@, @statuses@, error, *@flag@);
    if (error == MPI_SUCCESS && !*@flag@)
        completion_poll(thread, @function@, NULL, 0, 0, 0);

%% waitany
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    bool tracked = completion_begin_array(thread, @function@, site, (int)@array_count@, @requests@, NULL);
    int error = @real@;
    if (tracked)
        completion_end_some(thread, 1, @index@, @requests@, @status@, error);

%% testany
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    bool tracked = completion_begin_array(thread, @function@, site, (int)@array_count@, @requests@, NULL);
    int error = @real@;
    if (tracked)
        completion_end_some(thread, *@flag@ ? 1 : 0, @index@, @requests@, @status@, error);
    if (error == MPI_SUCCESS && !*@flag@)
        completion_poll(thread, @function@, NULL, 0, 0, 0);

%% waitsome
    bool tracked = completion_begin_array(thread, @function@, site, (int)@array_count@, @requests@, &@statuses@);
    int error = @real@;
    if (tracked)
        completion_end_some(thread, *@outcount@, @indices@, @requests@, @statuses@, error);

%% testsome
    bool tracked = completion_begin_array(thread, @function@, site, (int)@array_count@, @requests@, &@statuses@);
    int error = @real@;
    if (tracked)
        completion_end_some(thread, *@outcount@, @indices@, @requests@, @statuses@, error);
    if (error == MPI_SUCCESS && *@outcount@ == 0)
        completion_poll(thread, @function@, NULL, 0, 0, 0);

%% start
    completion_start(thread, @function@, site, 1, @request@);
    int error = @real@;
    completion_started(thread, 1, @request@, error);

%% startall
    completion_start(thread, @function@, site, (int)@array_count@, @requests@);
    int error = @real@;
    completion_started(thread, (int)@array_count@, @requests@, error);

%% cancel
    uint64_t request = unlikely(!@request@) ? 0 : HANDLE_VALUE(*@request@);
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        completion_cancel(thread, request);

%% request_free
    uint64_t request = unlikely(!@request@) ? 0 : HANDLE_VALUE(*@request@);
    struct mpilens_operation *operation = unlikely(!@request@) ? NULL : completion_find(thread, request);
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (operation && error == MPI_SUCCESS)
        completion_free(thread, operation, request);

%% request_get_status
    if (@status@ == MPI_STATUS_IGNORE)
        @status@ = &thread->scratch.status;
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS && *@flag@)
        completion_seen(thread, HANDLE_VALUE(@request@), @status@);
    else if (error == MPI_SUCCESS)
        completion_poll(thread, @function@, completion_find(thread, HANDLE_VALUE(@request@)), 0, 0, 0);

%% collective
    struct mpilens_collective *call = @collective@;
    int error = @real@;
    collective_end(thread, call, @class@);

%% communicator
    struct communicator_derivation derivation = communicator_derive(thread, @function@, site, @parent@);
    call_begin_other(thread, @function@, site, derivation.parent);
    int error = @real@;
    if (error == MPI_SUCCESS)
        communicator_created(&derivation, *@result@, false);

%% communicator_pending
    struct communicator_derivation derivation = communicator_derive(thread, @function@, site, @parent@);
    call_begin_other(thread, @function@, site, derivation.parent);
    int error = @real@;
    if (error == MPI_SUCCESS)
        communicator_created(&derivation, *@result@, true);

%% communicator_by_key
    struct communicator_derivation derivation =
        communicator_derive_by_key(thread, @function@, site, @parent_or_null@, @key@);
    call_begin_other(thread, @function@, site, derivation.parent);
    int error = @real@;
    if (error == MPI_SUCCESS)
        communicator_created(&derivation, *@result@, false);

%% communicator_parent
    struct communicator_derivation derivation = communicator_derive_by_key(thread, @function@, 0, MPI_COMM_NULL, @function@);
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        communicator_seen(&derivation, *@result@);

%% communicator_free
    uint64_t handle = @handle@ ? HANDLE_VALUE(*@handle@) : 0;
    struct mpilens_communicator *record = communicator_find(handle);
    call_begin_other(thread, @function@, site, record);
    int error = @real@;
    if (error == MPI_SUCCESS)
        communicator_freed(record, handle);

%% communicator_name
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        communicator_named(HANDLE_VALUE(@handle@), @name@);

%% datatype
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        datatype_created(@function@, site, *@result@);

%% datatype_free
    uint64_t handle = @handle@ ? HANDLE_VALUE(*@handle@) : 0;
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        datatype_freed(handle);

%% datatype_name
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        datatype_named(HANDLE_VALUE(@handle@), @name@);

%% init
    process_initializing(MPI_THREAD_SINGLE);
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        process_initialized();

%% init_thread
    process_initializing(@required@);
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    if (error == MPI_SUCCESS)
        process_initialized();

%% finalize
    process_set_state(MPILENS_PROCESS_FINALIZING);
    call_begin_other(thread, @function@, site, NULL);
    int error = @real@;
    process_set_state(error == MPI_SUCCESS ? MPILENS_PROCESS_FINALIZED : MPILENS_PROCESS_RUNNING);

%% abort
    process_set_state(MPILENS_PROCESS_ABORTING);
    call_begin_other(thread, @function@, site, communicator_find(HANDLE_VALUE(@communicator@)));
    int error = @real@;
