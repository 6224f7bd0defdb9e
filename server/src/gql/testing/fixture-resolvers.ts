import type { Graph } from '../graph.ts';

/** Root fields without rows, each with one possible outcome of a request. */
export function declareResolvers(graph: Graph): void {
  graph.queryResolve('clock', {
    access: 'public',
    type: 'DateTime',
    description: 'The time.',
    resolve: (context) => context.nowIso,
  });
  graph.queryResolve('broken', {
    access: 'public',
    type: 'String',
    nullable: true,
    description: 'Always fails.',
    resolve: () => Promise.reject(new Error('password=hunter2')),
  });
  graph.queryResolve('slow', {
    access: 'public',
    type: 'String',
    nullable: true,
    description: 'Takes its time.',
    timeoutMs: 20,
    resolve: (context) => new Promise((resolve) => context.signal.addEventListener('abort', () => resolve('late'))),
  });
  graph.queryResolve('secrets', {
    access: 'api_key:manage',
    type: 'String',
    nullable: true,
    description: 'Only when signed in.',
    resolve: () => 'secret',
  });
  graph.mutation('forget', {
    access: 'content:delete',
    description: 'Returns nothing but values.',
    type: graph.object('Forgotten', {
      description: 'Done.',
      fields: (f) => ({ ok: f.value({ type: 'Boolean', description: 'Whether.' }) }),
    }),
    command: async () => ({ ok: true }),
  });
}
