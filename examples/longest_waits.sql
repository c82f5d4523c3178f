-- SPDX-License-Identifier: BSD-3-Clause
-- The ten calls in which ranks have been longest, and the message that each of them waits for.
--
--     mpilens snapshot -o hang.mpilens
--     sqlite3 -box hang.mpilens < longest_waits.sql
--
-- A snapshot has a table for what each struct of inspect/model/model.h has. `row` numbers the rows of a table; a column with the
-- name of another table says to which of its rows a row belongs. The views readable_... have texts and places in words.

-- Receives with the process that they are of; a serial is one operation's in its process.
WITH receive_of AS (
    SELECT communicator.process, receive.serial, receive.peer_world, receive.tag
    FROM receive JOIN communicator ON communicator.row = receive.communicator
)
SELECT process.rank,
       thread.function AS call,
       printf('%.1f s', thread.age_s) AS since,
       thread.site AS "called from",
       receive_of.peer_world AS source, -- NULL: any source, or it waits for something else
       receive_of.tag
FROM readable_thread AS thread
JOIN process ON process.row = thread.process
LEFT JOIN waiting ON waiting.thread = thread.row
LEFT JOIN receive_of ON receive_of.process = process.row AND receive_of.serial = waiting.serial
WHERE thread.function <> '' AND NOT thread.ended
ORDER BY thread.age_s DESC
LIMIT 10;
