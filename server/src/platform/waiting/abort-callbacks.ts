const CALLBACKS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once a signal is aborted, until the returned function is called. For a signal that thousands of requests
 * share: a listener is looked for among all others when it is added, and when it is removed.
 */
export function onceAborted(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = CALLBACKS.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  const call = () => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', call, { once: true });
  CALLBACKS.set(signal, callbacks);
  return callbacks;
}
