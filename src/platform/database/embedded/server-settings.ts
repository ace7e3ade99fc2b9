import { MIB } from '../../../kernel/domain/bytes.js';

/**
 * For `memoryBytes` shared with other programs. Durability keeps PostgreSQL's defaults. The log contains neither
 * statements nor values, which would be personal data.
 */
export function serverSettings(memoryBytes: number): Readonly<Record<string, string>> {
  const memory = Math.floor(memoryBytes / MIB);
  const within = (least: number, value: number, most: number) =>
    `${Math.min(most, Math.max(least, Math.floor(value)))}MB`;
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: within(64, memory / 8, 1_024),
    effective_cache_size: within(128, memory / 2, 16_384),
    work_mem: within(4, memory / 512, 32),
    maintenance_work_mem: within(64, memory / 32, 512),
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    // Searches are short: compiling costs more than it saves.
    jit: 'off',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
}
