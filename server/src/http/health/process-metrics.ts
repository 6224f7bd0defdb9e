import { readdirSync, readFileSync } from 'node:fs';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * What this process takes of the machine, under the names of Prometheus' own clients, read when it is asked for.
 * `collectDefaultMetrics` of prom-client would wake the process a hundred times a second to measure the delay of its
 * event loop (1 % of a core), and watch each garbage collection.
 */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        const value = read();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const cpuSeconds = (of: (usage: NodeJS.CpuUsage) => number) => () => of(process.cpuUsage()) / 1e6;
  counter(
    'process_cpu_user_seconds_total',
    'CPU time of the process in user mode.',
    cpuSeconds(({ user }) => user),
  );
  counter(
    'process_cpu_system_seconds_total',
    'CPU time of the process in the kernel.',
    cpuSeconds(({ system }) => system),
  );
  counter(
    'process_cpu_seconds_total',
    'CPU time of the process.',
    cpuSeconds(({ user, system }) => user + system),
  );
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => {
    return performance.timeOrigin / 1_000;
  });
  gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Files and connections that the process has open.', openDescriptors);
  gauge('process_max_fds', 'How many it may have open.', mostDescriptors);
  gauge('nodejs_heap_size_total_bytes', 'Memory for JavaScript objects.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory of buffers.', () => process.memoryUsage().external);
  gauge(
    'nodejs_eventloop_utilization',
    'Share of the time since the last reading in which the event loop worked, 0 to 1.',
    eventLoopShare(),
  );
}

function eventLoopShare(): () => number {
  let before: EventLoopUtilization | undefined;
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** By proc(5); null on other systems. */
function openDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

/** The soft limit (proc(5), limits); null where there is none. */
function mostDescriptors(): number | null {
  try {
    const most = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return most === undefined ? null : Number(most);
  } catch {
    return null;
  }
}
