-- Their successors are generated: repeatable/stats-queue.sql.
drop trigger if exists search_documents_stats on search_documents;
drop function if exists stats_queue_listed();
