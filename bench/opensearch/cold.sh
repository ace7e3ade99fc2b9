# `matricula bench opensearch --cold bash bench/opensearch/cold.sh`, as root, with control groups of version 1.
#
# `bench opensearch` is started in the control group `bench`, PostgreSQL before it in `pg`, with shared_buffers = 96MB,
# huge_pages = off, and a quarter of its files as memory:
#
#   echo 380M > /sys/fs/cgroup/memory/pg/memory.limit_in_bytes
#
# This empties the system's cache, and leaves OpenSearch beside its heap 320 MB for its files and those of the programs.
group=/sys/fs/cgroup/memory/bench
used=$(awk '/^total_rss /{print $2}' $group/memory.stat)
sync; echo 3 > /proc/sys/vm/drop_caches
for more in 64 24 12; do echo $((used + more * 1048576)) > $group/memory.limit_in_bytes || true; done
echo 3 > /proc/sys/vm/drop_caches
used=$(awk '/^total_rss /{print $2}' $group/memory.stat)
echo $((used + 320 * 1048576)) > $group/memory.limit_in_bytes
